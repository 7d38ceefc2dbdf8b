import { setTimeout as wait } from 'node:timers/promises';
import { AuthClient } from '@supabase/auth-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authJsJourney, callHere, EXPECTED_ANSWERS } from '../../support/fixtures/auth-js-journey.ts';
import { demoFolder, type NpmStart, startThroughNpm } from '../../support/harness/installation.ts';

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

let folder: Awaited<ReturnType<typeof demoFolder>>;
let started: NpmStart;
beforeAll(async () => {
  folder = await demoFolder();
  started = await startThroughNpm(folder.path);
});
afterAll(async () => {
  started.npm.kill('SIGTERM');
  while (isAlive(started.serverPid)) await wait(50);
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
  const texts = async () => {
    const { messages } = (await (await fetch(inbox)).json()) as { messages: { text: string }[] };
    return messages.map(({ text }) => text).join();
  };
  await expect.poll(texts).toContain(`${started.url}/reset-password#`);
});
