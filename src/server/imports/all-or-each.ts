import { Refusal } from '../../contract/refusals.ts';
import type { Tx } from '../db/client.ts';
import { violatedConstraint } from '../db/results.ts';

/** Works on all items at once; if the database refuses, on one after the other. Returns those that were not refused. */
export async function allOrEach<T>(
  tx: Tx,
  items: T[],
  work: (inner: Tx, some: T[]) => Promise<void>,
): Promise<T[]> {
  if (items.length === 0) return [];
  try {
    await tx.transaction((inner) => work(inner, items));
    return items;
  } catch (error) {
    if (!violatedConstraint(error) && !(error instanceof Refusal)) throw error;
    if (items.length === 1) return [];
  }
  const results: T[] = [];
  for (const item of items) results.push(...(await allOrEach(tx, [item], work)));
  return results;
}
