import { localDate } from '../../../domain/calendar.ts';
import {
  type AdoptionVerdict,
  type FoundSubscription,
  judgeAdoption,
  type KnownAccount,
  namesOf,
} from '../../../domain/imports/adoption.ts';
import type { ImportProblem } from '../../../domain/imports/import-words.ts';
import { isEnded } from '../../../domain/standing.ts';
import { emailFirstPassword } from '../../auth/password/password-reset.ts';
import { endUnprovenAccess } from '../../auth/staff-accounts.ts';
import { type AdoptedRecord, adopt, NotAdoptable } from '../../billing/adoption/adopt.ts';
import {
  type CustomerAtStripe,
  fetchCustomer,
  nameCustomer,
} from '../../billing/adoption/customer-at-stripe.ts';
import type { Tx } from '../../db/client.ts';
import { and, asc, eq, gt, inArray, isNull, sql } from '../../db/orm.ts';
import { violatedConstraint } from '../../db/results.ts';
import { member_import, member_import_row } from '../../db/schema.ts';
import { makeAccounts } from '../import-batch.ts';
import type { ImportRecord, ImportWorker } from '../import-context.ts';
import { othersOf, sharedFacts, whoseAre } from './adoption-facts.ts';

/** Concurrent requests about customers, far below Stripe's rate limit. */
const AT_ONCE = 4;

type Row = typeof member_import_row.$inferSelect & { found: FoundSubscription };

/**
 * Adopts the next subscriptions: fetches each once more, decides again, and writes it in its own short transaction. Throws
 * Stripe's errors; a later step then continues with the same row.
 */
export async function adoptStep(ctx: ImportWorker, record: ImportRecord): Promise<void> {
  await nameAdopted(ctx, record);
  const rows = (await ctx.db
    .select()
    .from(member_import_row)
    .where(
      and(
        eq(member_import_row.import_id, record.id),
        gt(member_import_row.row_no, record.done_rows),
        sql`${member_import_row.problems} = '[]'::jsonb`,
        isNull(member_import_row.outcome),
      ),
    )
    .orderBy(asc(member_import_row.row_no))
    .limit(AT_ONCE)) as Row[];
  const customers = await Promise.all(rows.map(({ found }) => fetchCustomer(ctx.billing, found.customer)));
  for (const [index, row] of rows.entries()) {
    await ctx.db.transaction((tx) => adoptRow(ctx, tx, record.id, row, customers[index] ?? null));
  }
  if (rows.length < AT_ONCE) {
    await nameAdopted(ctx, record);
    await ctx.db
      .update(member_import)
      .set({ status: 'imported', done_rows: record.total_rows, finished_at: ctx.now() })
      .where(and(eq(member_import.id, record.id), eq(member_import.status, 'importing')));
  }
}

async function adoptRow(
  ctx: ImportWorker,
  tx: Tx,
  import_id: string,
  row: Row,
  customer: CustomerAtStripe | null,
): Promise<void> {
  const [record] = await tx.select().from(member_import).where(eq(member_import.id, import_id)).for('update');
  // Another server was faster.
  if (record?.status !== 'importing' || record.done_rows >= row.row_no) return;
  const filter = and(eq(member_import_row.import_id, import_id), eq(member_import_row.row_no, row.row_no));
  const outcome = await tryAdopt(ctx, tx, record, row, customer);
  const isRefused = 'problem' in outcome;
  await tx
    .update(member_import_row)
    .set(
      isRefused
        ? { outcome: 'refused', problems: [outcome.problem] }
        : { ...outcome, outcome: 'imported', imported_at: ctx.now() },
    )
    .where(filter);
  await tx
    .update(member_import)
    .set({ done_rows: row.row_no, imported_rows: record.imported_rows + (isRefused ? 0 : 1) })
    .where(eq(member_import.id, import_id));
}

type Adopted = { user_id: string } & AdoptedRecord;

/** Adopts a row, or says why it is left: as shown to staff, or because something has changed since. */
async function tryAdopt(
  ctx: ImportWorker,
  tx: Tx,
  record: ImportRecord,
  row: Row,
  customer: CustomerAtStripe | null,
): Promise<Adopted | { problem: ImportProblem }> {
  const subscription = customer?.subscriptions.find(({ id }) => id === row.found.id);
  if (!customer || !subscription) return { problem: 'ended' };
  const { account, ...verdict } = await judge(ctx, tx, record, row, subscription, customer);
  if (verdict.tier === null) return { problem: verdict.problems[0] };
  const { tier } = verdict;
  // The subscription must still be as shown to staff.
  const isSame =
    verdict.becomes === row.becomes &&
    subscription.email === row.email &&
    subscription.price === row.found.price;
  if (!isSame) return { problem: 'changed_meanwhile' };
  try {
    return await tx.transaction((inner) => write(ctx, inner, subscription, customer, tier, account));
  } catch (error) {
    if (!violatedConstraint(error) && !(error instanceof NotAdoptable)) throw error;
    return { problem: 'changed_meanwhile' };
  }
}

type JudgedVerdict = AdoptionVerdict & { account: KnownAccount | null };

async function judge(
  ctx: ImportWorker,
  tx: Tx,
  record: ImportRecord,
  row: Row,
  subscription: FoundSubscription,
  { subscriptions }: CustomerAtStripe,
): Promise<JudgedVerdict> {
  const ownership = (await whoseAre(ctx, tx, [subscription]))(subscription);
  const inFile = (await othersOf(tx, record, [row.row_no]))(row.row_no);
  const others = [
    ...subscriptions.filter(({ id, status }) => id !== subscription.id && !isEnded(status)),
    ...inFile.filter(({ customer }) => customer !== subscription.customer),
  ];
  const verdict = judgeAdoption(subscription, {
    ...(await sharedFacts(ctx, tx, record)),
    ...ownership,
    others,
  });
  return { ...verdict, account: ownership.account };
}

async function write(
  ctx: ImportWorker,
  tx: Tx,
  subscription: FoundSubscription,
  { snapshot }: CustomerAtStripe,
  tier: string,
  account: KnownAccount | null,
): Promise<Adopted> {
  const user_id = account?.user_id ?? (await makeAccount(ctx, tx, subscription));
  if (account?.loses_password) {
    await endUnprovenAccess(tx, user_id);
    await emailFirstPassword(ctx, tx, user_id, 'choose_password');
  }
  const record = await adopt(tx, ctx.billing, {
    user_id,
    stripe_customer_id: subscription.customer,
    stripe_subscription_id: subscription.id,
    tier,
    started_on: localDate(new Date(subscription.started_at), ctx.venue.time_zone),
    snapshot,
  });
  return { user_id, ...record };
}

async function makeAccount(
  { now, newId }: ImportWorker,
  tx: Tx,
  { email, name }: FoundSubscription,
): Promise<string> {
  const names = namesOf(name, { isName: (text) => text !== '' });
  if (!email || !names) throw new NotAdoptable('No email or name');
  const id = newId();
  await makeAccounts(tx, now(), [{ id, ...names, email }]);
  return id;
}

/**
 * Writes our accounts' ids to the customers at Stripe, after their rows were committed, so that a webhook finds them.
 * Includes rows whose undoing was abandoned.
 */
export async function nameAdopted(ctx: ImportWorker, { id }: ImportRecord): Promise<void> {
  const rows = await ctx.db
    .select()
    .from(member_import_row)
    .where(
      and(
        eq(member_import_row.import_id, id),
        inArray(member_import_row.outcome, ['imported', 'kept']),
        isNull(member_import_row.named_at),
      ),
    )
    .orderBy(asc(member_import_row.row_no))
    .limit(50);
  for (const { row_no, stripe_customer_id, user_id } of rows) {
    if (stripe_customer_id && user_id) {
      await nameCustomer(ctx.billing, stripe_customer_id, user_id);
    }
    await ctx.db
      .update(member_import_row)
      .set({ named_at: ctx.now() })
      .where(and(eq(member_import_row.import_id, id), eq(member_import_row.row_no, row_no)));
  }
}
