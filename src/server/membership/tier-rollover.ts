import type { Db, Tx } from '../db/client.ts';
import { desc, eq } from '../db/orm.ts';
import { tier_rollover } from '../db/schema.ts';

/** Rollover limits for periods that begin now; a missing tier has none. docs/rules/glasses.md, "Glasses". */
export async function rolloverOfTiers(db: Pick<Db | Tx, 'selectDistinctOn'>): Promise<Map<string, number>> {
  const rows = await db
    .selectDistinctOn([tier_rollover.tier_name], {
      tier: tier_rollover.tier_name,
      glasses: tier_rollover.glasses,
    })
    .from(tier_rollover)
    .orderBy(tier_rollover.tier_name, desc(tier_rollover.since));
  return new Map(rows.map(({ tier, glasses }) => [tier, glasses]));
}

/** Sets the rollover limit for periods that begin from now on. Call it with the tier's row locked. */
export async function setRollover(tx: Tx, now: Date, tier_name: string, glasses: number): Promise<void> {
  const [last] = await tx
    .select({ since: tier_rollover.since })
    .from(tier_rollover)
    .where(eq(tier_rollover.tier_name, tier_name))
    .orderBy(desc(tier_rollover.since))
    .limit(1);
  // Keeps the later of two changes newest, even within a millisecond or after the clock was set back.
  const since = new Date(Math.max(now.getTime(), last ? last.since.getTime() + 1 : 0));
  await tx.insert(tier_rollover).values({ tier_name, since, glasses });
}
