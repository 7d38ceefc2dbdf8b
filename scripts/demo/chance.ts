/** Repeatable chance: the same seed gives the same sequence (mulberry32). */
export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  is(probability: number): boolean;
  pick<T>(choices: readonly (readonly [T, number])[]): T;
}

export function chanceFrom(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    is: (probability) => next() < probability,
    pick(choices) {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      const [first] = choices[0] ?? [];
      if (first === undefined) throw new RangeError('Nothing to choose from');
      return first;
    },
  };
}
