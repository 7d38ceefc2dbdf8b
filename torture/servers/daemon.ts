import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { serverOwner } from '../../tests/support/harness/postgres-server.ts';
import { childrenOf, signal } from './cluster.ts';

export interface Daemon {
  kill(): Promise<void>;
  output(): string;
}

/** Throws if a program is not installed, naming its package. */
export function needs(programs: Record<string, string>): void {
  const entries = Object.entries(programs).filter(([path]) => !existsSync(path));
  if (entries.length === 0) return;
  const packages = [...new Set(entries.map(([, name]) => name))].join(' ');
  throw new Error(`This needs ${packages}, on Debian 12: apt-get install ${packages}`);
}

/** Starts the program, which ends with this process. */
export function startDaemon(command: string[], env: Record<string, string> = {}): Daemon {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    ...serverOwner(),
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const all = () => withDescendants(child.pid ?? 0);
  const killAtExit = () => {
    for (const pid of all()) signal(pid, 'SIGKILL');
  };
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  return {
    output: () => output,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      for (const pid of all()) signal(pid, 'SIGKILL');
      await exit;
    },
  };
}

/** Kills the process first, so that it cannot start others meanwhile. */
function withDescendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withDescendants)];
}

/** Repeats the check until it returns true. Throws with `label` after the time is up. */
export async function until(label: string, withinMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > end) throw new Error(`${label}: not within ${withinMs / 1000} s`);
    await wait(100);
  }
}
