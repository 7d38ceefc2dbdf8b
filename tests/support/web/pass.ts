import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** The last milliseconds, one at a time: what arrives in one act is drawn after it, and asks for more in the next. */
const SINGLE_MS = 5;

/** Lets so much of the fake clock's time pass, with what the page draws meanwhile. */
export async function pass(ms: number): Promise<void> {
  const singles = Math.min(ms, SINGLE_MS);
  await act(() => vi.advanceTimersByTimeAsync(ms - singles));
  for (let step = 0; step < singles; step += 1) await act(() => vi.advanceTimersByTimeAsync(1));
}
