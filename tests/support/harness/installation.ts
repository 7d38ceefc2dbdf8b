import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';

export const root = resolve(import.meta.dirname, '../../..');

export interface StartedProcess {
  url: string;
  sandboxUrl: string;
  dataDir: string;
  output(): string;
  /** Sends a signal that does not end the process. */
  signal(name: NodeJS.Signals): void;
  /** Sends the signal and returns the exit code; null if the signal killed the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Creates a temporary data folder in the test run's folder. `remove` deletes it. */
export function dataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(process.env.TEST_DATA_ROOT ?? tmpdir(), 'cellar-door-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

let demo: Promise<string> | undefined;

/** Creates a temporary data folder with a demo that was started and stopped. `remove` deletes it. */
export async function demoFolder(): Promise<ReturnType<typeof dataFolder>> {
  demo ??= process.env.TEST_DEMO ? Promise.resolve(process.env.TEST_DEMO) : makeDemo();
  const folder = dataFolder();
  cpSync(await demo, folder.path, { recursive: true });
  return folder;
}

/** Makes the folder that demos are copied from; once per process, because it takes seconds. */
async function makeDemo(): Promise<string> {
  const { path, remove } = dataFolder();
  process.once('exit', remove);
  await (await startProcess({ DATA_DIR: path })).stop();
  return path;
}

/** Playwright's global setup: makes the demo that each worker's product starts from. */
export default async function setup(): Promise<void> {
  process.env.TEST_DEMO = await makeDemo();
}

/** Node's arguments in `npm start`. */
export const NODE = startScript().split(' ').slice(1, -1);

function startScript(): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start;
}

/**
 * Starts the program of `npm start -- ARGS`, or another script, as a process. Resolves when it is ready, rejects if it ends
 * before.
 */
export async function startProcess(
  env: Record<string, string>,
  args: string[] = [],
  script = 'scripts/start.ts',
): Promise<StartedProcess> {
  const port = Number(env.PORT ?? (await freePort()));
  const child: ChildProcess = spawn(process.execPath, [...NODE, script, ...args], {
    cwd: root,
    env: { ...cleanEnvironment(), LOG_LEVEL: 'warn', DEMO_SIZE: 'small', ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolved) => child.once('exit', resolved));
  const output = await untilOpen(child);
  return {
    url: `http://localhost:${port}`,
    sandboxUrl: `http://localhost:${port + 1}`,
    dataDir: env.DATA_DIR ?? './data',
    output,
    signal: (name) => void child.kill(name),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

export interface NpmStart {
  /** The npm process, leader of its own process group. */
  npm: ChildProcess;
  url: string;
  serverPid: number;
  output(): string;
}

/** Runs `npm start` in `cwd`, like a shell or a supervisor. Resolves when it prints its URL. */
export async function startThroughNpm(
  dataDir: string,
  env: Record<string, string> = {},
  cwd = root,
): Promise<NpmStart> {
  const port = await freePort();
  const npm = spawn('npm', ['start'], {
    cwd,
    env: {
      ...cleanEnvironment(),
      LOG_LEVEL: 'warn',
      DEMO_SIZE: 'small',
      DATA_DIR: dataDir,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = await untilOpen(npm);
  const serverPid = Number(readFileSync(join(dataDir, 'server.pid'), 'utf8'));
  return { npm, url: `http://localhost:${port}`, serverPid, output };
}

/** Resolves when a process prints that it is open, with a function that returns its output; rejects if it ends first. */
export function untilOpen(child: ChildProcess): Promise<() => string> {
  let output = '';
  return new Promise((opened, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Press Ctrl-C to stop')) opened(() => output);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`ended with ${code}:\n${output}`)));
  });
}

/** Runs a command of the program, such as 'stripe check', until it ends. */
export async function runCommand(
  name: string,
  args: string[],
  env: Record<string, string>,
  /** `readsOn` false: closes the pipe of its output at once. */
  { readsOn = true } = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    [...NODE, 'scripts/cellar-door.ts', ...name.split(' ').filter(Boolean), ...args],
    {
      cwd: root,
      env: { ...cleanEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  if (readsOn) child.stdout.on('data', (chunk) => (output += chunk));
  else child.stdout.destroy();
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolved) => child.once('close', resolved));
  return { code, output };
}

/** The test's environment without variables that would configure the product. */
export function cleanEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
