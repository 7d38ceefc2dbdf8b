import { expect, it, test } from 'vitest';
import { createLog, logDestination, readableLine } from '../../../src/server/platform/log.ts';

const terminal = (isTTY: boolean) => {
  const written: string[] = [];
  return { written, output: { isTTY, write: (text: string) => written.push(text) } };
};

test.each<[boolean, 'development' | 'production' | undefined, boolean]>([
  [true, undefined, true],
  [true, 'development', true],
  [true, 'production', false],
  [false, 'development', false],
])('at a terminal (%s), with NODE_ENV %s, lines are for a person: %s', (isTTY, NODE_ENV, readable) => {
  expect(logDestination({ NODE_ENV }, terminal(isTTY).output) !== undefined).toBe(readable);
});

it('says when, how bad, what and with which values, and below it what was thrown', () => {
  const { written, output } = terminal(true);
  const log = createLog('info', logDestination({}, output));
  log.debug('not shown');
  log.warn({ outbox_id: 'a1', attempts: 2, secret: 'x' }, 'email not sent');
  log.error({ err: new Error('no connection', { cause: new TypeError('refused') }) }, 'billing sweep failed');
  const [warning, failure = ''] = written;
  expect(written).toHaveLength(2);
  expect(warning).toMatch(
    /^\d\d:\d\d:\d\d WARN email not sent outbox_id=a1 attempts=2 secret=\[Redacted\]\n$/,
  );
  expect(failure).toMatch(/^\S+ ERROR billing sweep failed\n {2}Error: no connection\n +at /);
  expect(failure).toContain('\n  TypeError: refused\n');
});

it('lets no value begin a line of its own or command the terminal', () => {
  const { written, output } = terminal(true);
  const log = createLog('info', logDestination({}, output));
  log.warn({ wallet: 'a\n12:00:00 ERROR forged\u001b[2J\u009b31m\u202e' }, 'a phone reports');
  expect(written.join('')).toMatch(/wallet=a\\u000a12:00:00 ERROR forged\\u001b\[2J\\u009b31m\\u202e\n$/);
});

it('reads a line without time or message', () => {
  expect(readableLine('{"level":35,"n":1}')).toMatch(/ 35 n=1$/);
});
