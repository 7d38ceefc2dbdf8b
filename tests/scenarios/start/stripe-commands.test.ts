import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts';
import { makeDataFolder } from '../../support/harness/database.ts';
import { freePort } from '../../support/harness/free-port.ts';
import { dataFolder, runCommand, startProcess } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

let folder: ReturnType<typeof dataFolder>;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = dataFolder();
  // Otherwise the first command makes the database, which takes seconds.
  await makeDataFolder(folder.path);
  sandbox = await startSandbox({ port: 0, retryDelaysMs: [] });
});
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

it('an installation is set up by one command and checked by another, before and beside the server', async () => {
  const PORT = String(await freePort());
  const env: Record<string, string> = {
    DATA_DIR: folder.path,
    PORT,
    STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
    STRIPE_API_URL: sandbox.url,
  };
  const check = () => runHere('stripe check', [], env);

  const first = await runCommand('stripe setup', [], env);
  expect(first.code).toBe(0);
  const secret = /^ +STRIPE_WEBHOOK_SECRET=(whsec_\w+)$/m.exec(first.output)?.[1] ?? '';
  expect(first.output).toMatch(
    /made +webhook endpoint we_.*\n +made +customer portal[\s\S]*restart the server/,
  );
  const early = await check();
  expect(early.code).toBe(1);
  expect(early.output).toContain('none is known here');

  env.STRIPE_WEBHOOK_SECRET = secret;
  const server = await startProcess(env);
  try {
    // The embedded database allows one process: the server does the work, with its own configuration.
    const again = await runHere('stripe setup', [], env);
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('Nothing to change.') });
    const right = await check();
    expect(right.output).toMatch(/ok: +our endpoint +\S+\/api\/stripe\/webhook answers/);
    expect(right.output).toMatch(/look: +retries[\s\S]*0 wrong, \d to look at by hand/);
    expect(right.code).toBe(0);
    const tried = await runHere('stripe smoke', [], env);
    expect(tried.output).toMatch(
      /ok: +page for a membership [\s\S]*ok: +end at once [\s\S]*All as the product/,
    );
    expect(tried.code).toBe(0);
    await fetch(`${sandbox.url}/_sandbox/fail-next`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: '/v1/refunds', status: 400 }),
    });
    const refused = await runHere('stripe smoke', [], env);
    expect(refused.output).toMatch(
      /refused: +refund +This error was requested[\s\S]*1 not as the product needs/,
    );
    expect(refused.code).toBe(1);
  } finally {
    await server.stop();
  }
  expect((await runHere('stripe check', ['now'], env)).code).toBe(2);
  const keyless = await runHere('stripe setup', [], { DATA_DIR: folder.path });
  expect(keyless).toMatchObject({ code: 1, output: expect.stringContaining('STRIPE_SECRET_KEY is needed') });
}, 120_000);
