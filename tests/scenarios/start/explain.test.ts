import { expect, it } from 'vitest';
import { explain } from '../../../scripts/serve/explain.ts';
import { openPostgres } from '../../../src/server/db/client.ts';
import { freePort } from '../../support/harness/free-port.ts';

it('an error that was not expected is one sentence with all that caused it, and its stack only at LOG_LEVEL=debug', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:3000');
  const failed = new TypeError('fetch failed', { cause: new Error('no connection', { cause: refused }) });
  expect(explain(failed, {})).toBe(
    'This failed: fetch failed: no connection: connect ECONNREFUSED 127.0.0.1:3000. Try again; LOG_LEVEL=debug says where, for a report.',
  );
  expect(explain(failed, { LOG_LEVEL: 'debug' })).toMatch(/\n +at /);
  expect(explain('stopped', {})).toContain('This failed: stopped.');
});

const ENV = { DATA_DIR: '/var/lib/club' };

it.each([
  ['a port below 1024', { code: 'EACCES', port: 80, syscall: 'listen' }, 'may not open port 80'],
  [
    'an address of another computer',
    { code: 'EADDRNOTAVAIL', address: '10.1.1.1' },
    '10.1.1.1 is no address of this',
  ],
  ['a file of another account', { code: 'EACCES', path: '/etc/key.pem' }, '/etc/key.pem cannot be read'],
  ['a read-only disk', { code: 'EROFS', path: '/mnt/club' }, 'mounted read-only'],
  ['a damaged table', { code: 'XX001' }, 'The database in /var/lib/club is damaged'],
  ['a lost file of a table', { code: '58P01' }, 'cellar-door restore FILE'],
])('%s is explained in a sentence without a stack', (_, fields, words) => {
  const error = new Error('Failed query', { cause: Object.assign(new Error('as the system says'), fields) });
  expect(explain(error, ENV)).toContain(words);
  expect(explain(error, ENV)).not.toMatch(/\n|\bat .*:\d+:\d+/);
});

it('a database server that does not answer is named in one line, without its password', async () => {
  const url = `postgres://club:secret@localhost:${await freePort()}/club`;
  const error = await openPostgres(url).catch((failure: Error) => failure);
  expect(explain(error)).toMatch(
    /^The database of DATABASE_URL, at localhost:\d+, accepts no connection: [^\n]+$/,
  );
  expect(explain(error)).not.toContain('secret');
});
