import { act } from '@testing-library/react';
import { vi } from 'vitest';

/**
 * The last milliseconds pass one at a time: data that arrives in one act() renders afterwards, and makes requests in the
 * next.
 */
const SINGLE_MS = 5;

/** Lets time pass on the fake clock, along with the page's rendering; a page that is still loading arrives first. */
export async function pass(ms: number): Promise<void> {
  await act(() => vi.dynamicImportSettled());
  const singles = Math.min(ms, SINGLE_MS);
  await act(() => vi.advanceTimersByTimeAsync(ms - singles));
  for (let step = 0; step < singles; step += 1) await act(() => vi.advanceTimersByTimeAsync(1));
}
