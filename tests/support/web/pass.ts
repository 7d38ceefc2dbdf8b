import { act } from '@testing-library/react';
import { vi } from 'vitest';

/**
 * The last milliseconds, one at a time: what arrives in one act() is rendered after it, and makes requests in the next.
 */
const SINGLE_MS = 5;

/** Lets this much time pass on the fake clock, with what the page renders meanwhile. */
export async function pass(ms: number): Promise<void> {
  const singles = Math.min(ms, SINGLE_MS);
  await act(() => vi.advanceTimersByTimeAsync(ms - singles));
  for (let step = 0; step < singles; step += 1) await act(() => vi.advanceTimersByTimeAsync(1));
}
