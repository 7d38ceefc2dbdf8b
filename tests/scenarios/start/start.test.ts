import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { runHere } from '../../support/harness/program.ts';
import { openStream } from '../../support/harness/stream.ts';

const DEMO_PASSWORD = 'cellar-door-demo';

/** A demo, and the server that runs on it. */
let folder: ReturnType<typeof dataFolder>;
let server: StartedProcess;
/** What was refused while another start had the folder. */
let refused: string[];
/** The responses to a browser from the first moment on, and the pages it can open once the welcome line is printed. */
const first = { signIn: 0, opened: [] as [string, number][], emails: 0 };
beforeAll(async () => {
  folder = dataFolder();
  const ports = [await freePort(), await freePort(), await freePort()];
  const opened = new AbortController();
  const signedIn = ports.map((port) =>
    firstAnswer(opened.signal, `http://localhost:${port}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
      body: JSON.stringify({ email: 'member@demo.test', password: DEMO_PASSWORD }),
    }),
  );
  const starts = await Promise.allSettled(ports.map((port) => start({ PORT: String(port) })));
  refused = starts.flatMap((it) => (it.status === 'rejected' ? [String(it.reason)] : []));
  first.opened = await openEverything(server);
  first.emails = await emailsAfterRecovery(server);
  first.signIn = await Promise.race(signedIn);
  opened.abort();
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  folder.remove();
});

/** Starts on the folder, which is new at first. */
async function start(env: Record<string, string> = {}): Promise<void> {
  server = await startProcess({ DATA_DIR: join(folder.path, 'data'), ...env });
}

/** The status of the first response from a port that is not open yet. */
async function firstAnswer(opened: AbortSignal, url: string, init: RequestInit): Promise<number> {
  for (;;) {
    const answer = await fetch(url, init).catch(() => null);
    if (answer) return answer.status;
    if (opened.aborted) return 0;
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

async function signIn(url: string, email: string, password = DEMO_PASSWORD): Promise<Caller> {
  const caller = new Caller(url, url);
  await caller.must('POST', '/api/auth/sign-in', { email, password });
  return caller;
}

/** The most memory that the server has held, as Linux says. */
function peakMegabytes({ dataDir }: StartedProcess): number {
  const pid = readFileSync(join(dataDir, 'server.pid'), 'utf8').trim();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

type Me = { customer: { id: string; pours_balance: number; tier: string } };

describe('npm start', { timeout: 60_000 }, () => {
  it('prints one URL and the two demo accounts', () => {
    expect(server.output()).toContain(server.url);
    expect(server.output()).toContain('staff@demo.test');
    expect(server.output()).toContain('member@demo.test');
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

  it('of three first starts on one empty folder one runs, and the others are refused in words', () => {
    expect(refused).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/Another Cellar Door process.* is using /)),
    );
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
});

describe('after the server was killed', { timeout: 60_000 }, () => {
  let member: Caller;
  let before: Me['customer'];
  let live: unknown;
  beforeAll(async () => {
    const staff = await signIn(server.url, 'bartender@demo.test');
    member = await signIn(server.url, 'member@demo.test');
    before = (await member.must<Me>('GET', '/api/customers/own')).customer;
    await staff.must('POST', '/api/pours', {
      request_id: aRequestId(),
      customer_id: before.id,
      quantity: 2,
      location: 'bar',
    });
    await server.stop('SIGKILL');
    live = await start({ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }).catch(String);
    // The folder is free again, and the demo still starts.
    await start();
  });

  it('no glass is lost', async () => {
    expect(before.tier).toBe('premier');
    // The session continues: the secrets were stored.
    const again = new Caller(server.url, server.url);
    for (const [name, value] of member.jar) again.jar.set(name, value);
    const after = (await again.must<Me>('GET', '/api/customers/own')).customer;
    expect(after.pours_balance).toBe(before.pours_balance - 2);
  });

  it.skipIf(!existsSync('/proc/self/status'))('a start on its folder needs less than 900 MB', () => {
    expect(peakMegabytes(server)).toBeLessThan(900);
  });

  it('a demo does not go live with its public accounts', () => {
    expect(live).toMatch(/ended with 1:[\s\S]*staff@demo\.test[\s\S]*a new DATA_DIR/);
  });
});

describe('beside a running server', { timeout: 60_000 }, () => {
  const here = (command: string, ...args: string[]) => runHere(command, args, { DATA_DIR: server.dataDir });
  const staffCommand = (...args: string[]) => here('staff', ...args);
  const asProcess = (...args: string[]) => runCommand('staff', args, { DATA_DIR: server.dataDir });
  const removeFactor = () => staffCommand('second-factor', 'remove', 'member@demo.test');
  const signOut = (email: string) => staffCommand('sign-out', email);

  it('a second process on the same data folder is refused with the reason', async () => {
    const port = await freePort();
    await expect(startProcess({ DATA_DIR: server.dataDir, PORT: String(port) })).rejects.toThrow(
      /Another Cellar Door process \(pid \d+\) is using .*\n.*DATA_DIR/,
    );
  });

  it('a port in use is named', async () => {
    const other = dataFolder();
    try {
      await expect(
        startProcess({ DATA_DIR: other.path, PORT: new URL(server.url).port, SANDBOX_PORT: '0' }),
      ).rejects.toThrow(/Port \d+ is taken/);
    } finally {
      other.remove();
    }
  });

  it('the demo needs no set-up at Stripe, and its commands say so', async () => {
    for (const command of ['setup', 'check']) {
      const { code, output } = await here(`stripe ${command}`);
      expect(code).toBe(1);
      expect(output).toMatch(/^This is the demo: [^\n]*STRIPE_SECRET_KEY[^\n]*\n$/);
    }
  });

  it('npm run staff creates an account that can sign in at once', async () => {
    const { code, output } = await asProcess('add', 'bar@venue.test');
    expect(code).toBe(0);
    expect(output).toContain('Forgot password?');
    // Each of 64 characters carries 6 bits: at least 128.
    const token = /\/reset-password#([\w-]{22,})$/m.exec(output)?.[1];
    const password = 'a better password';
    const visitor = new Caller(server.url, server.url);
    await visitor.must('POST', '/api/auth/reset-password', { token, password });
    const staff = await signIn(server.url, 'bar@venue.test', password);
    expect((await staff.call('GET', '/api/customers')).status).toBe(200);
    expect((await staffCommand('add', 'bar@venue.test')).output).toContain('is staff already');
    expect((await staffCommand('remove', 'bar@venue.test')).output).toContain('no longer staff');
    expect((await staffCommand('remove', 'nobody@venue.test')).code).toBe(1);
  });

  it('npm run staff removes a lost second factor', async () => {
    const member = await signIn(server.url, 'member@demo.test');
    await enrollFactor(member, DEMO_PASSWORD);
    expect(await removeFactor()).toMatchObject({
      code: 0,
      output: expect.stringContaining('password alone'),
    });
    expect((await member.call('GET', '/api/sessions')).status).toBe(401);
    expect((await removeFactor()).code).toBe(1);
  });

  it('npm run staff signs a user out everywhere', async () => {
    const staff = await signIn(server.url, 'staff@demo.test');
    expect(await signOut('staff@demo.test')).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 session ended, 0 API clients removed'),
    });
    expect((await staff.call('GET', '/api/sessions')).status).toBe(401);
    expect((await signOut('nobody@demo.test')).code).toBe(1);
  });

  it('npm run tiers moves the members of a tier', async () => {
    // One of the demo's two members of Premier pays by card.
    expect((await here('tiers', 'move', 'premier')).output).toContain('1 pay at the venue');
    expect((await here('tiers', 'move', 'hideo@demo.test', 'elite')).output).toContain('1 pay at the venue');
    expect((await here('tiers', 'moves')).output).toContain('No moves are announced.');
    expect(await here('tiers', 'withdraw', 'hideo@demo.test')).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 withdrawn'),
    });
    expect(await here('tiers', 'move', 'gold')).toMatchObject({
      code: 1,
      output: expect.stringContaining('no such tier'),
    });
  });

  describe('and after it was stopped', () => {
    let code: number | null;
    let received: string[];
    beforeAll(async () => {
      await enrollFactor(await signIn(server.url, 'member@demo.test'), DEMO_PASSWORD);
      const stream = await openStream(await signIn(server.url, 'staff@demo.test'), '/api/venue-events');
      const stopped = server.stop('SIGTERM');
      await stream.ended;
      received = stream.received;
      code = await stopped;
    });

    it('a stream of changes was ended, not cut, and did not delay the stop', () => {
      expect(code).toBe(0);
      expect(received).toEqual([]);
    });

    it('npm run staff removes a lost second factor', async () => {
      expect((await removeFactor()).code).toBe(0);
    });

    it('npm run staff signs a user out everywhere', async () => {
      expect((await signOut('staff@demo.test')).output).toContain('1 session ended');
    });

    it('npm run staff creates an account', async () => {
      expect((await asProcess('add', 'cellar@venue.test')).code).toBe(0);
      expect((await staffCommand('add')).code).toBe(2);
    });

    it('npm run tiers moves the members of a tier', async () => {
      expect(await here('tiers', 'move', 'select')).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^0 notified by email/),
      });
      expect(await here('tiers', 'move', 'nobody@demo.test')).toMatchObject({
        code: 1,
        output: expect.stringContaining('no such member'),
      });
    });
  });
});
