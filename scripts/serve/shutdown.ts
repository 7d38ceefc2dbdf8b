import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const WATCH_EVERY_MS = 500;
/** A single Ctrl-C can arrive twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Calls `close` once and exits with code 0: on Ctrl-C, on TERM, when the terminal closes, and when the launcher or the npm
 * that started this process has ended. Exits with code 1 when `close` throws, or on a second Ctrl-C while closing.
 */
export function closeOnShutdown(close: () => Promise<unknown>): void {
  let since: number | null = null;
  const shutdown = async () => {
    if (since !== null) return;
    since = performance.now();
    ignoreLostOutput();
    try {
      await close();
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const isAgain = since !== null && performance.now() - since > SAME_SIGNAL_MS;
      if (isAgain && signal === 'SIGINT') process.exit(1);
      void shutdown();
    });
  }
  process.once('disconnect', shutdown);
  watchNpm(shutdown);
}

/** A closed terminal takes no more output. Failing to write the last lines must not stop an orderly close. */
function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.syscall === 'write' && (error.code === 'EIO' || error.code === 'EPIPE')) return;
    console.error(error);
    process.exit(1);
  });
}

/**
 * Calls `onEnd` when the npm that runs this script is gone. Signals to npm do not reach us: npm passes them to the script's
 * shell, which dies or waits, and a killed npm passes on nothing. Without npm, nothing is watched, so the server can be
 * left running in the background.
 */
function watchNpm(onEnd: () => Promise<void>): void {
  const script = process.env.npm_lifecycle_script;
  if (!script?.includes(basename(process.argv[1] ?? ''))) return;
  const parent = process.ppid;
  // Some shells replace themselves with their last command; then npm is our parent.
  const npm = isShellOf(script, parent) ? parentOf(parent) : null;
  const watch = setInterval(() => {
    if (process.ppid === parent && (npm === null || parentOf(parent) === npm)) return;
    clearInterval(watch);
    void onEnd();
  }, WATCH_EVERY_MS);
  watch.unref();
}

function isShellOf(script: string, pid: number): boolean {
  return readProcess(pid, 'cmdline').includes(script);
}

function parentOf(pid: number): number | null {
  // pid (name) state parent ...: the name may hold spaces and brackets.
  const stat = readProcess(pid, 'stat');
  return stat === '' ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Empty on systems without /proc. macOS does not need it: its shell replaces itself. */
function readProcess(pid: number, file: 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
