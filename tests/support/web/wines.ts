import type { StaffWine } from '../../../src/contract/wine/wines.ts';

/** The id of a wine or bottle in these tests. */
export const idOf = (n: number) => `0197b1f0-0000-7000-8000-0000000000e${n}`;
/** An open wine with two of six glasses poured, by default. */
export const wine = (n: number, name: string, more: Partial<StaffWine> = {}): StaffWine => ({
  id: idOf(n),
  name,
  producer: 'Cascina Prova',
  region: 'Langhe',
  country: 'Italy',
  grape: 'Nebbiolo',
  vintage: 2018,
  color: 'red',
  sweetness: 1,
  body: 5,
  tannin: 5,
  acidity: 4,
  notes: '',
  picture: null,
  glasses_per_bottle: 6,
  cost_cents: 2450,
  state: 'open',
  bottle: { id: idOf(n + 4), opened_at: '2026-11-22T12:00:00.000Z', glasses: 6, left: 4 },
  recently_poured: 2,
  ...more,
});
