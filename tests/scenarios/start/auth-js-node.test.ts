import { AuthClient } from '@supabase/auth-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authJsJourney, callHere, EXPECTED_ANSWERS } from '../../support/fixtures/auth-js-journey.ts';
import { demoFolder, type NpmStart, startThroughNpm } from '../../support/harness/installation.ts';

let folder: Awaited<ReturnType<typeof demoFolder>>;
let started: NpmStart;
beforeAll(async () => {
  folder = await demoFolder();
  started = await startThroughNpm(folder.path);
});
afterAll(async () => {
  const ended = new Promise((done) => started.npm.once('exit', done));
  process.kill(-(started.npm.pid ?? 0), 'SIGTERM');
  await ended;
  folder.remove();
});

it('a program on Node does all that its client library can, with the library as it comes', async () => {
  const client = new AuthClient({ url: `${started.url}/api/auth` });
  const email = 'program@example.test';
  try {
    expect(await authJsJourney(callHere(client), email)).toEqual(EXPECTED_ANSWERS);
  } finally {
    await client.stopAutoRefresh();
  }
  const inbox = `http://localhost:${Number(new URL(started.url).port) + 1}/mailbox/api/messages?to=${email}`;
  const subjects = async () => {
    const { messages } = (await (await fetch(inbox)).json()) as { messages: { subject: string }[] };
    return messages.map(({ subject }) => subject);
  };
  await expect.poll(subjects).toContain('Reset your password');
});
