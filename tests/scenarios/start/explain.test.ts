import { expect, it } from 'vitest';
import { explain } from '../../../scripts/serve/explain.ts';
import { openPostgres } from '../../../src/server/db/client.ts';
import { freePort } from '../../support/harness/free-port.ts';

it('an error that was not expected is shown with all that caused it', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:3000');
  const failed = new TypeError('fetch failed', { cause: new Error('no connection', { cause: refused }) });
  expect(explain(failed)).toMatch(
    /^TypeError: fetch failed[\s\S]*\nCaused by: Error: no connection[\s\S]*\nCaused by: Error: connect ECONNREFUSED 127\.0\.0\.1:3000/,
  );
  expect(explain('stopped')).toBe('stopped');
});

it('a database server that does not answer is named in one line, without its password', async () => {
  const url = `postgres://club:secret@localhost:${await freePort()}/club`;
  const error = await openPostgres(url).catch((failure: Error) => failure);
  expect(explain(error)).toMatch(
    /^The database of DATABASE_URL, at localhost:\d+, accepts no connection: [^\n]+$/,
  );
  expect(explain(error)).not.toContain('secret');
});
