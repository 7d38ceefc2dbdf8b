import { type FoundPrice, type FoundSubscription, guessTier } from '../../../domain/imports/adoption.ts';
import { MAX_IMPORT_ROWS } from '../../../domain/imports/import-fields.ts';
import { formatAmount } from '../../../domain/money.ts';
import { tiersOfPrices } from '../../billing/adoption/release.ts';
import { listRunning, namesOfProducts } from '../../billing/customers/found-subscriptions.ts';
import { readTiers } from '../../billing/state/known-tiers.ts';
import type { Tx } from '../../db/client.ts';
import { desc, eq, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { member_import, member_import_row, tier_definitions } from '../../db/schema.ts';
import type { ImportRecord, ImportWorker } from '../import-context.ts';

/** Column names of the rows, like those of a file. */
export const ADOPTION_COLUMNS = ['Name', 'Email', 'Pays', 'Status at Stripe', 'Subscription', 'Customer'];
export const ADOPTION_MAPPING = { full_name: 0, email: 1 };

/** Reads the next page of subscriptions; after the last one, their prices. Throws Stripe's errors. */
export async function readStep(ctx: ImportWorker, record: ImportRecord): Promise<void> {
  const { stripe } = ctx.billing;
  const { found, last } = await listRunning(stripe, await readTiers(ctx.db), await lastRead(ctx, record));
  const total = record.total_rows + found.length;
  const isOver = last === null || total >= MAX_IMPORT_ROWS;
  const isStored = await ctx.db.transaction(async (tx) => {
    if (!(await isStillReading(tx, record))) return false;
    if (found.length > 0) await tx.insert(member_import_row).values(found.map(rowOf(record)));
    await tx.update(member_import).set({ total_rows: total }).where(eq(member_import.id, record.id));
    return true;
  });
  if (!isStored || !isOver) return;
  const prices = await foundPrices(ctx, record.id);
  const names = await namesOfProducts(stripe, [...new Set(prices.map(({ product }) => product))]);
  await ctx.db.transaction(async (tx) => {
    if (!(await isStillReading(tx, { ...record, total_rows: total }))) return;
    const tiers = await tx.select().from(tier_definitions);
    const tierOf = await tiersOfPrices(
      tx,
      prices.map(({ price }) => price),
    );
    const namedPrices = prices.map((it) => ({ ...it, name: names.get(it.product) ?? it.product }));
    const guesses = namedPrices.map((it) => ({ ...it, tier: tierOf.get(it.price) ?? guessTier(it, tiers) }));
    await tx
      .update(member_import)
      .set({ status: 'checking', done_rows: 0, prices: guesses })
      .where(eq(member_import.id, record.id));
  });
}

async function lastRead({ db }: ImportWorker, { id }: ImportRecord): Promise<string | null> {
  const [row] = await db
    .select({ subscription: member_import_row.stripe_subscription_id })
    .from(member_import_row)
    .where(eq(member_import_row.import_id, id))
    .orderBy(desc(member_import_row.row_no))
    .limit(1);
  return row?.subscription ?? null;
}

/** Whether no other server has continued reading. Locks the import. */
async function isStillReading(tx: Tx, { id, total_rows }: ImportRecord): Promise<boolean> {
  const [row] = await tx.select().from(member_import).where(eq(member_import.id, id)).for('update');
  return row?.status === 'reading' && row.total_rows === total_rows;
}

const rowOf =
  ({ id, total_rows }: ImportRecord) =>
  (subscription: FoundSubscription, index: number): typeof member_import_row.$inferInsert => ({
    import_id: id,
    row_no: total_rows + index + 1,
    cells: cellsOf(subscription),
    email: subscription.email,
    stripe_subscription_id: subscription.id,
    stripe_customer_id: subscription.customer,
    found: subscription,
  });

function cellsOf(subscription: FoundSubscription): string[] {
  const { unit_cents, quantity, currency, interval } = subscription;
  const times = quantity > 1 ? `${quantity} × ` : '';
  const price =
    unit_cents === null ? 'usage-based' : `${times}${formatAmount(unit_cents, currency)} per ${interval}`;
  return [
    subscription.name ?? '',
    subscription.email ?? '',
    price,
    subscription.status,
    subscription.id,
    subscription.customer,
  ];
}

/** Prices of possible memberships, most frequent first. */
function foundPrices({ db }: ImportWorker, import_id: string): Promise<Omit<FoundPrice, 'name' | 'tier'>[]> {
  return rowsOf(
    db,
    sql`
    select found->>'price' as price, min(found->>'product') as product, min(found->>'price_tier') as price_tier,
           min((found->>'unit_cents')::integer) as unit_cents, min(found->>'currency') as currency,
           min(found->>'interval') as interval, count(*)::integer as subscriptions
      from member_import_row where import_id = ${import_id}::uuid and found is not null
     group by found->>'price' order by count(*) desc, found->>'price'`,
  );
}
