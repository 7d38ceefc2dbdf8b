import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Sandbox } from '../../sandbox/index.ts';
import { freePort } from '../../tests/support/harness/free-port.ts';
import { bundledServer } from './bundle.ts';

export type Command =
  | { what: 'clock'; aheadMs: number }
  | { what: 'wall clock'; byMs: number }
  | { what: 'memory' };
export type Said = { what: 'open' } | { what: 'memory'; bytes: number; rss: number };

/** The URL that browsers would use: all servers of a scenario have the same one, as behind a proxy. */
export const ORIGIN = 'http://localhost:3999';
export const WEBHOOK_SECRET = 'whsec_of_the_torture';
const START_MS = 60_000;
const root = resolve(import.meta.dirname, '../..');

/** A server process that can be killed and started again, on the same port and folder. */
export interface ServerProcess {
  url: string;
  /** Where its embedded database is, if it has one. */
  folder: string;
  /** Resolves when it is open. Rejects with its output if it ends before. */
  start(): Promise<void>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
  send(command: Command): void;
  /** Bytes in use after a garbage collection, and resident. */
  memory(): Promise<{ bytes: number; rss: number }>;
  /** What it printed since its last start. */
  output(): string;
  remove(): void;
}

/** The sandbox's services as the environment of a server. */
export const servicesOf = (sandbox: Sandbox): Record<string, string> => ({
  STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
  STRIPE_API_URL: sandbox.url,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  SMTP_URL: sandbox.smtpUrl,
  SUMMARY_BASE_URL: sandbox.modelUrl,
  SUMMARY_API_KEY: 'sandbox',
});

/**
 * A server that is not started yet. Without DATABASE_URL in `env` it has an embedded database of its own.
 * `flags` are Node's.
 */
export async function serverProcess(
  env: Record<string, string>,
  flags: string[] = [],
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'torture-server-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  let output = '';
  let gone: Promise<number | null> = Promise.resolve(null);
  let isEnding = false;
  const end = (signal: NodeJS.Signals) => {
    isEnding = true;
    child?.kill(signal);
    return gone;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    send: (command) => void child?.send(command),
    remove: () => rmSync(folder, { recursive: true, force: true }),
    async start() {
      output = '';
      const run = `await import(${JSON.stringify(await bundledServer())})`;
      const started = spawn(process.execPath, [...flags, '--expose-gc', '--input-type=module', '-e', run], {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          HOST: '127.0.0.1',
          PORT: String(port),
          DATA_DIR: folder,
          PUBLIC_URL: ORIGIN,
          AUTH_SECRET: 'a-secret-for-torture-of-32-characters',
          TRUST_PROXY: 'true',
          VERIFY_EMAIL: 'off',
          LOG_LEVEL: 'warn',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk) => {
          output = (output + chunk).slice(-20_000);
        });
      }
      isEnding = false;
      gone = new Promise((resolved) => started.once('exit', resolved));
      started.once('exit', (code) => {
        // It was not killed on purpose: whatever comes next fails because of this.
        if (!isEnding) console.error(`A server ended by itself, with ${code}:\n${output}`);
      });
      await said(started, 'open', START_MS).catch((error: Error) => {
        isEnding = true;
        started.kill('SIGKILL');
        throw new Error(`${error.message}\n${output}`);
      });
    },
    async memory() {
      if (!child) throw new Error('The server is not running');
      const answer = said(child, 'memory', START_MS);
      child.send({ what: 'memory' } satisfies Command);
      const { bytes, rss } = (await answer) as Extract<Said, { what: 'memory' }>;
      return { bytes, rss };
    },
  };
}

/** Resolves with the next message of that kind. Rejects when the process ends before it, or takes too long. */
function said(child: ChildProcess, what: Said['what'], withinMs: number): Promise<Said> {
  return new Promise((heard, failed) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      child.off('message', listen);
      child.off('exit', ended);
      finish();
    };
    const listen = (message: Said) => {
      if (message.what === what) settle(() => heard(message));
    };
    const ended = (code: number | null) => settle(() => failed(new Error(`The server ended with ${code}`)));
    const timer = setTimeout(() => settle(() => failed(new Error(`No '${what}' from the server`))), withinMs);
    child.on('message', listen);
    child.on('exit', ended);
  });
}
