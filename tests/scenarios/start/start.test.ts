import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundled } from '../../../scripts/builds.ts';
import { aRequestId } from '../../support/fixtures/members.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { Caller } from '../../support/harness/caller.ts';
import { freePort } from '../../support/harness/free-port.ts';
import {
  dataFolder,
  root,
  runCommand,
  type StartedProcess,
  startProcess,
} from '../../support/harness/installation.ts';

const DEMO_PASSWORD = 'cellar-door-demo';

/** A demo that was started once and closed. Each test works on a copy, because creating one takes seconds. */
let seeded: ReturnType<typeof dataFolder>;
let folder: ReturnType<typeof dataFolder>;
let running: StartedProcess[] = [];
/** The responses to a browser from the first moment on, and the pages it can open once the welcome line is printed. */
const first = { signIn: 0, opened: [] as [string, number][], emails: 0 };
beforeAll(async () => {
  seeded = dataFolder();
  const port = await freePort();
  const signedIn = firstAnswer(`http://localhost:${port}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
    body: JSON.stringify({ email: 'member@demo.test', password: DEMO_PASSWORD }),
  });
  const demo = await startProcess({ DATA_DIR: seeded.path, PORT: String(port) });
  first.opened = await openEverything(demo);
  first.emails = await emailsAfterRecovery(demo);
  first.signIn = await signedIn;
  await demo.stop();
});
afterAll(() => seeded.remove());

function openFolder(): void {
  folder = dataFolder();
  cpSync(seeded.path, folder.path, { recursive: true });
}

async function closeFolder(): Promise<void> {
  await Promise.all(running.map((it) => it.stop('SIGKILL')));
  running = [];
  folder.remove();
}

/** The status of the first response from a port that is not open yet. */
async function firstAnswer(url: string, init: RequestInit): Promise<number> {
  for (;;) {
    const answer = await fetch(url, init).catch(() => null);
    if (answer) return answer.status;
    await pause(10);
  }
}

/** The page with its files, and the pages of the sandbox, each with its status. */
async function openEverything({ url, sandboxUrl }: StartedProcess): Promise<[string, number][]> {
  const page = await (await fetch(url)).text();
  const parts = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => `${url}${path}`);
  expect(parts.filter((it) => it.endsWith('.js'))).not.toEqual([]);
  const urls = [`${url}/api/session`, ...parts, sandboxUrl, `${sandboxUrl}/mailbox`];
  return Promise.all(urls.map(async (it) => [it, (await fetch(it)).status] as [string, number]));
}

/** The number of emails that arrive before a second attempt, which comes after thirty seconds. */
async function emailsAfterRecovery({ url, sandboxUrl }: StartedProcess): Promise<number> {
  await new Caller(url, url).must('POST', '/api/auth/recover', { email: 'member@demo.test' });
  const until = Date.now() + 20_000;
  for (;;) {
    const mailbox = await (await fetch(`${sandboxUrl}/mailbox/api/messages`)).json();
    const { length } = (mailbox as { messages: unknown[] }).messages;
    if (length > 0 || Date.now() > until) return length;
    await pause(50);
  }
}

async function start(env: Record<string, string> = {}): Promise<StartedProcess> {
  const started = await startProcess({ DATA_DIR: folder.path, ...env });
  running.push(started);
  return started;
}

async function signIn(url: string, email: string, password = DEMO_PASSWORD): Promise<Caller> {
  const caller = new Caller(url, url);
  await caller.must('POST', '/api/auth/sign-in', { email, password });
  return caller;
}

/** The most memory that the server has held; null where the system does not say. */
function peakMegabytes({ dataDir }: StartedProcess): number | null {
  const pid = readFileSync(join(dataDir, 'server.pid'), 'utf8').trim();
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return null;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]) / 1024;
}

type Me = { customer: { id: string; pours_balance: number; tier: string } };

describe('npm start', { timeout: 60_000 }, () => {
  beforeEach(openFolder);
  afterEach(closeFolder);

  it('prints one URL and the two demo accounts, a killed process loses no glass, and a start on its folder needs less than 900 MB', async () => {
    const first = await start();
    expect(first.output()).toContain(first.url);
    expect(first.output()).toContain('staff@demo.test');
    expect(first.output()).toContain('member@demo.test');

    const staff = await signIn(first.url, 'staff@demo.test');
    const member = await signIn(first.url, 'member@demo.test');
    const before = (await member.must<Me>('GET', '/api/customers/own')).customer;
    expect(before.tier).toBe('premier');
    await staff.must('POST', '/api/pours', {
      request_id: aRequestId(),
      customer_id: before.id,
      quantity: 2,
      location: 'bar',
    });
    await first.stop('SIGKILL');

    const second = await start();
    const peak = peakMegabytes(second);
    if (peak !== null) expect(peak).toBeLessThan(900);
    // The session continues: the secrets were stored.
    const again = new Caller(second.url, second.url);
    for (const [name, value] of member.jar) again.jar.set(name, value);
    const after = (await again.must<Me>('GET', '/api/customers/own')).customer;
    expect(after.pours_balance).toBe(before.pours_balance - 2);
    expect(await second.stop('SIGTERM')).toBe(0);
  });

  it.runIf(bundled('serve'))('finds its code compiled by the previous start', () => {
    expect(readdirSync(join(root, 'dist/server/.compiled'))).not.toEqual([]);
  });

  it('the port answers only when the demo accounts exist', () => {
    expect(first.signIn).toBe(200);
  });

  it('prints its lines when the page, all that it loads, and the mailbox can be opened', () => {
    expect(first.opened.filter(([, status]) => status !== 200)).toEqual([]);
  });

  it('the first email finds the mailbox ready: it arrives at the first attempt', () => {
    expect(first.emails).toBe(1);
  });

  it.skipIf(!existsSync('/dev/full'))('a full disk is explained', async () => {
    const full = dataFolder();
    try {
      // Writes to this device find no space left.
      symlinkSync('/dev/full', join(full.path, 'secrets.json.new'));
      const started = startProcess({ DATA_DIR: full.path });
      await expect(started).rejects.toThrow(
        `ended with 1:\n\nThe disk of the data folder (${full.path}) is full: nothing can be written.\nFree some space`,
      );
    } finally {
      full.remove();
    }
  });

  it('wrong configuration stops the start and names the variable', async () => {
    await expect(start({ VENUE_TIME_ZONE: 'Nowhere' })).rejects.toThrow(
      /ended with 1:[\s\S]*VENUE_TIME_ZONE/,
    );
  });

  it('of three first starts on one empty folder one runs, and the others are refused in words', async () => {
    const empty = dataFolder();
    try {
      const starts = await Promise.allSettled(
        [1, 2, 3].map(() => startProcess({ DATA_DIR: join(empty.path, 'data') })),
      );
      const open = starts.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
      running.push(...open);
      const refused = starts.flatMap((it) => (it.status === 'rejected' ? [String(it.reason)] : []));
      expect(refused).toEqual(
        Array.from({ length: 2 }, () => expect.stringMatching(/Another Cellar Door process.* is using /)),
      );
      await signIn(open[0]?.url ?? '', 'member@demo.test');
      await Promise.all(open.map((it) => it.stop()));
    } finally {
      empty.remove();
    }
  });

  it('a demo does not go live with its public accounts', async () => {
    const real = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
    await expect(start(real)).rejects.toThrow(/ended with 1:[\s\S]*staff@demo\.test[\s\S]*a new DATA_DIR/);
    // The folder is free again, and the demo still starts.
    await start();
  });
});

describe('beside a running server', { timeout: 60_000 }, () => {
  let url: string;
  let server: StartedProcess;
  beforeAll(async () => {
    openFolder();
    server = await start();
    url = server.url;
  });
  afterAll(closeFolder);

  const staffCommand = (...args: string[]) => runCommand('staff', args, { DATA_DIR: folder.path });
  const removeFactor = () => staffCommand('second-factor', 'remove', 'member@demo.test');
  const signOut = (email: string) => staffCommand('sign-out', email);

  it('a second process on the same data folder is refused with the reason', async () => {
    const port = await freePort();
    await expect(startProcess({ DATA_DIR: folder.path, PORT: String(port) })).rejects.toThrow(
      /Another Cellar Door process \(pid \d+\) is using .*\n.*DATA_DIR/,
    );
  });

  it('a port in use is named', async () => {
    const other = dataFolder();
    try {
      await expect(
        startProcess({ DATA_DIR: other.path, PORT: new URL(url).port, SANDBOX_PORT: '0' }),
      ).rejects.toThrow(/Port \d+ is taken/);
    } finally {
      other.remove();
    }
  });

  it('the demo needs no set-up at Stripe, and its commands say so', async () => {
    for (const command of ['setup', 'check']) {
      const { code, output } = await runCommand(`stripe ${command}`, [], { DATA_DIR: folder.path });
      expect(code).toBe(1);
      expect(output).toMatch(/^This is the demo: [^\n]*STRIPE_SECRET_KEY[^\n]*\n$/);
    }
  });

  it('npm run staff creates an account that can sign in at once', async () => {
    const { code, output } = await staffCommand('add', 'bar@venue.test');
    expect(code).toBe(0);
    expect(output).toContain('Forgot password?');
    // Each of 64 characters carries 6 bits: at least 128.
    const token = /\/reset-password#([\w-]{22,})$/m.exec(output)?.[1];
    const password = 'a better password';
    const visitor = new Caller(url, url);
    await visitor.must('POST', '/api/auth/reset-password', { token, password });
    const staff = await signIn(url, 'bar@venue.test', password);
    expect((await staff.call('GET', '/api/customers')).status).toBe(200);
    expect((await staffCommand('add', 'bar@venue.test')).output).toContain('already had an account');
    expect((await staffCommand('remove', 'bar@venue.test')).output).toContain('no longer staff');
    expect((await staffCommand('remove', 'nobody@venue.test')).code).toBe(1);
  });

  it('npm run staff removes a lost second factor', async () => {
    const member = await signIn(url, 'member@demo.test');
    await enrollFactor(member, DEMO_PASSWORD);
    expect(await removeFactor()).toMatchObject({
      code: 0,
      output: expect.stringContaining('password alone'),
    });
    expect((await member.call('GET', '/api/sessions')).status).toBe(401);
    expect((await removeFactor()).code).toBe(1);
  });

  it('npm run staff signs a user out everywhere', async () => {
    const staff = await signIn(url, 'staff@demo.test');
    expect(await signOut('staff@demo.test')).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 session ended, 0 API clients removed'),
    });
    expect((await staff.call('GET', '/api/sessions')).status).toBe(401);
    expect((await signOut('nobody@demo.test')).code).toBe(1);
  });

  describe('and after it was stopped', () => {
    beforeAll(async () => {
      await enrollFactor(await signIn(url, 'member@demo.test'), DEMO_PASSWORD);
      await signIn(url, 'staff@demo.test');
      await server.stop('SIGTERM');
    });

    it('npm run staff removes a lost second factor', async () => {
      expect((await removeFactor()).code).toBe(0);
    });

    it('npm run staff signs a user out everywhere', async () => {
      expect((await signOut('staff@demo.test')).output).toContain('1 session ended');
    });

    it('npm run staff creates an account', async () => {
      expect((await staffCommand('add', 'cellar@venue.test')).code).toBe(0);
      expect((await staffCommand('add')).code).toBe(2);
    });
  });
});
