/**
 * Loaded into a server before everything else: moves the clock of the whole process, libraries included, by the
 * milliseconds in CLOCK_FILE, read at the start and on SIGUSR2.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
let aheadMs = 0;

function readClock(): void {
  try {
    aheadMs = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'));
  } catch {
    // The file has not been written.
  }
}

class MovedDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(MovedDate.now());
    else super(...(args as [number]));
  }
  static override now() {
    return RealDate.now() + aheadMs;
  }
  /** Node's own code makes real dates. */
  static override [Symbol.hasInstance](value: unknown) {
    return Object.prototype.toString.call(value) === '[object Date]';
  }
}

globalThis.Date = MovedDate as DateConstructor;
process.on('SIGUSR2', readClock);
readClock();
