import type fc from 'fast-check';
import { EVENTS } from './any-event.ts';
import type { Event, EventOf } from './events.ts';

/** Draws from fast-check's generator. */
export class Random {
  private readonly source: fc.Random;

  constructor(source: fc.Random) {
    this.source = source;
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return this.source.nextInt(from, to);
  }

  chance(of: number): boolean {
    return this.between(1, 1000) <= of * 1000;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.between(0, from.length - 1)] as T;
  }

  weighted<T>(from: readonly (readonly [number, T])[]): T {
    const hundredths = from.map(([weight]) => Math.round(weight * 100));
    let at = this.between(
      1,
      hundredths.reduce((sum, it) => sum + it, 0),
    );
    const index = hundredths.findIndex((it) => {
      at -= it;
      return at <= 0;
    });
    return (from[index] ?? from[0])?.[1] as T;
  }

  /** An event of a kind, of which some is decided. */
  event<D extends Event['do']>(name: D, decided: Partial<EventOf<D>>): EventOf<D> {
    return { ...EVENTS[name].generate(this.source, undefined).value, ...decided };
  }
}
