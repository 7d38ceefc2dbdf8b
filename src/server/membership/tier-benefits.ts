import { type Benefit, benefitKey } from '../../domain/membership/benefit.ts';
import type { Db, Tx } from '../db/client.ts';
import { asc, eq, inArray, isNotNull, sql } from '../db/orm.ts';
import { tier_benefit, tier_benefit_number } from '../db/schema.ts';

type ListedBenefit = Benefit & { id: string };

/** The benefits of each tier, in its order; a tier without any is missing. */
export async function benefitsOfTiers(db: Pick<Db | Tx, 'select'>): Promise<Map<string, ListedBenefit[]>> {
  const b = tier_benefit;
  const number = sql<number | null>`(select n.number from ${tier_benefit_number} n
    where n.benefit_id = ${b.id} order by n.since desc limit 1)`;
  const rows = await db
    .select({ tier: b.tier_name, id: b.id, words: b.words, every: b.every, number })
    .from(b)
    .where(isNotNull(b.place))
    .orderBy(asc(b.place));
  const lists = new Map<string, ListedBenefit[]>();
  for (const { tier, ...benefit } of rows) lists.set(tier, [...(lists.get(tier) ?? []), benefit]);
  return lists;
}

/**
 * Replaces a tier's list, whose obstacles are checked before; call it with the tier's row locked. One with the id of a benefit
 * of the tier, or its words and unit, is that benefit, also if that is off the list. docs/rules/benefits.md.
 */
export async function setBenefits(
  tx: Tx,
  { now, newId }: { now(): Date; newId(): string },
  tier_name: string,
  list: readonly (Benefit & { id?: string | undefined })[],
): Promise<void> {
  const rows = await tx.select().from(tier_benefit).where(eq(tier_benefit.tier_name, tier_name));
  const taken = new Set<string>();
  const match = (benefit: Benefit & { id?: string | undefined }) => {
    const isFree = (row: (typeof rows)[number]) => !taken.has(row.id) && row.every === benefit.every;
    const row =
      rows.find((it) => isFree(it) && it.id === benefit.id) ??
      rows.find((it) => isFree(it) && benefitKey(it) === benefitKey(benefit));
    if (row) taken.add(row.id);
    return row?.id;
  };
  for (const [place, { id, words, every, number }] of list.entries()) {
    const benefit_id = match({ id, words, every, number }) ?? newId();
    await tx
      .insert(tier_benefit)
      .values({ id: benefit_id, tier_name, words, every, place })
      .onConflictDoUpdate({ target: tier_benefit.id, set: { words, place } });
    if (number !== null) await setNumber(tx, now(), benefit_id, number);
  }
  const gone = rows.filter(({ id, place }) => !taken.has(id) && place !== null);
  for (const { id, every } of gone) if (every) await setNumber(tx, now(), id, 0);
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id);
    await tx.update(tier_benefit).set({ place: null }).where(inArray(tier_benefit.id, ids));
  }
}

/** Sets the number from now on, unless it stays. Rows are added, so that each window still knows what it gave. */
async function setNumber(tx: Tx, now: Date, benefit_id: string, number: number): Promise<void> {
  const [last] = await tx
    .select()
    .from(tier_benefit_number)
    .where(eq(tier_benefit_number.benefit_id, benefit_id))
    .orderBy(sql`${tier_benefit_number.since} desc`)
    .limit(1);
  if (last?.number === number) return;
  // Keeps the later of two changes newest, even within a millisecond or after the clock was set back.
  const since = new Date(Math.max(now.getTime(), last ? last.since.getTime() + 1 : 0));
  await tx.insert(tier_benefit_number).values({ benefit_id, since, number });
}
