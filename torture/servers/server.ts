/**
 * One server process of a scenario, started by server-process.ts with the environment of a real one. Its parent moves its
 * clock, and queries its memory; it exits when the parent is gone.
 */
import { readEnv } from '../../src/server/config/env.ts';
import { startServer } from '../../src/server/main.ts';
import type { Command, Said } from './server-process.ts';

const say = (said: Said) => process.send?.(said);
const RealDate = Date;
let clockMs = 0;

/** Moves the clock of the whole process, libraries included, as if somebody had set it. */
function setWallClock(byMs: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(RealDate.now() + byMs);
      else super(...(args as [number]));
    }
    static override now() {
      return RealDate.now() + byMs;
    }
  } as DateConstructor;
}

process.on('message', (command: Command) => {
  if (command.what === 'clock') clockMs = command.aheadMs;
  if (command.what === 'wall clock') setWallClock(command.byMs);
  if (command.what === 'memory') {
    // Twice: what a finalizer released is freed only by the second.
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    say({ what: 'memory', bytes: heapUsed + external, rss });
  }
});
process.on('disconnect', () => process.exit(0));

const running = await startServer(readEnv(process.env), {
  apiOnly: true,
  now: () => new Date(Date.now() + clockMs),
});
process.once('SIGTERM', () => running.close().then(() => process.exit(0)));
say({ what: 'open' });
