import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataFolder, type StartedProcess, startProcess } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

const TEST = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
const LIVE = { ...TEST, STRIPE_SECRET_KEY: 'sk_live_x' };

let folder: ReturnType<typeof dataFolder>;
let running: StartedProcess[];
beforeEach(() => {
  folder = dataFolder();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((it) => it.stop('SIGKILL')));
  folder.remove();
});

async function start(keys: Record<string, string>): Promise<StartedProcess> {
  const started = await startProcess({ DATA_DIR: folder.path, ...keys });
  running.push(started);
  return started;
}

it('a database goes from test keys to live keys by one command, and never by itself', {
  timeout: 120_000,
}, async () => {
  const leave = (...args: string[]) => runHere('leave-test-mode', args, { DATA_DIR: folder.path });

  const first = await start(TEST);
  expect(first.output()).toContain('no real money moves');
  expect(first.output()).not.toContain('has outgrown');
  expect(await leave('--yes')).toMatchObject({ code: 1, output: expect.stringContaining('Stop it first') });
  await first.stop();

  await expect(start(LIVE)).rejects.toThrow(/test mode[\s\S]*live key[\s\S]*cellar-door leave-test-mode/);
  const asked = await leave();
  expect(asked.code).toBe(1);
  expect(asked.output).toMatch(
    /memberships paid by card: 0[\s\S]*keeps[\s\S]*Nothing was changed[\s\S]*--yes/,
  );

  expect(await leave('--yes')).toMatchObject({ code: 0, output: expect.stringContaining('with a live key') });
  const live = await start(LIVE);
  expect(live.output()).not.toContain('no real money');
});
