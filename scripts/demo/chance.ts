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
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (min, high) => min + Math.floor(next() * (high - min + 1)),
    is: (probability) => next() < probability,
    pick(choices) {
      let remaining = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        remaining -= weight;
        if (remaining < 0) return choice;
      }
      const [first] = choices[0] ?? [];
      if (first === undefined) throw new RangeError('Nothing to choose from');
      return first;
    },
  };
}
