import type { KeptReason } from '../../../domain/imports/import-words.ts';
import { unnameCustomer } from '../../billing/adoption/customer-at-stripe.ts';
import { forgetPrices, release } from '../../billing/adoption/release.ts';
import type { Tx } from '../../db/client.ts';
import { and, asc, eq, gt, inArray, sql } from '../../db/orm.ts';
import { rowsOf, violatedConstraint } from '../../db/results.ts';
import { member_import, member_import_row, profiles, verifications } from '../../db/schema.ts';
import type { ImportRecord, ImportWorker } from '../import-context.ts';
import { nameAdopted } from './adopt-step.ts';

type Row = typeof member_import_row.$inferSelect;

/**
 * Releases the next subscription: removes our account's id from the customer at Stripe, then our rows, if they are not in
 * use. Never cancels or charges anything. Throws Stripe's errors; a later step then continues with the same row.
 */
export async function undoStep(ctx: ImportWorker, record: ImportRecord): Promise<void> {
  await nameAdopted(ctx, record);
  const [row] = await ctx.db
    .select()
    .from(member_import_row)
    .where(
      and(
        eq(member_import_row.import_id, record.id),
        gt(member_import_row.row_no, record.done_rows),
        inArray(member_import_row.outcome, ['imported', 'kept']),
      ),
    )
    .orderBy(asc(member_import_row.row_no))
    .limit(1);
  if (!row) return finish(ctx, record);
  const { user_id, stripe_customer_id } = row;
  const reason = await ctx.db.transaction((tx) => keptBecause(tx, row));
  if (reason === null && user_id && stripe_customer_id) {
    // This comes first, so that no webhook finds the account in the metadata and adopts it again.
    await unnameCustomer(ctx.billing, stripe_customer_id, user_id);
  }
  await ctx.db.transaction((tx) => undoRow(tx, record.id, row, reason === null));
}

async function finish({ db, now }: ImportWorker, { id, total_rows, prices }: ImportRecord): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(member_import)
      .set({ status: 'undone', done_rows: total_rows, finished_at: now() })
      .where(and(eq(member_import.id, id), eq(member_import.status, 'undoing')));
    await forgetPrices(
      tx,
      (prices ?? []).map(({ price }) => price),
    );
  });
}

async function undoRow(tx: Tx, import_id: string, row: Row, isUnnamed: boolean): Promise<void> {
  const [record] = await tx.select().from(member_import).where(eq(member_import.id, import_id)).for('update');
  if (record?.status !== 'undoing' || record.done_rows >= row.row_no) return;
  const reason = await keptBecause(tx, row);
  const isRemoved = isUnnamed && reason === null && (await tryRemove(tx, row));
  await tx
    .update(member_import_row)
    .set({
      outcome: isRemoved ? 'undone' : 'kept',
      kept_because: isRemoved ? null : (reason ?? 'changed'),
      // The account's id is then written to Stripe again.
      ...(isUnnamed && !isRemoved && { named_at: null }),
    })
    .where(and(eq(member_import_row.import_id, import_id), eq(member_import_row.row_no, row.row_no)));
  await tx
    .update(member_import)
    .set({
      done_rows: row.row_no,
      imported_rows: record.imported_rows - (isRemoved ? 1 : 0),
      kept_rows: record.kept_rows + (isRemoved ? 0 : 1),
    })
    .where(eq(member_import.id, import_id));
}

/** Why an adopted membership is in use; null if it is not. Locks the account. */
async function keptBecause(tx: Tx, { user_id, stripe_subscription_id, imported_at, becomes }: Row) {
  if (!user_id || !imported_at) return 'changed';
  const isMade = becomes === 'made';
  const has = (table: string, condition: string) =>
    sql.raw(`exists (select 1 from ${table} x where ${condition})`);
  const ofUser = (table: string) => has(table, 'x.user_id = h.id');
  const [row] = await rowsOf<{ because: KeptReason | null }>(
    tx,
    sql`
    with h as materialized (select p.id, p.updated_at, p.email_verified, ${imported_at.toISOString()}::timestamptz as at,
             ${stripe_subscription_id}::text as subscription
        from profiles p where p.id = ${user_id}::uuid for update)
    select case
      when ${has('user_roles', `x.user_id = h.id and x.role = 'staff'`)} then 'staff'
      when ${isMade} and (h.email_verified or ${ofUser('accounts')} or ${ofUser('sessions')} or ${ofUser('passkeys')}
        or ${ofUser('consent')}) then 'signed_in'
      when ${has('pours', 'x.customer_id = c.id and x.created_at >= h.at')}
        or ${has('benefit_use', 'x.customer_id = c.id and x.created_at >= h.at')}
        or ${has('paper_card', 'x.customer_id = c.id and x.issued_at >= h.at')}
        or ${has('wallet_pass', 'x.user_id = h.id and x.created_at >= h.at')} then 'poured'
      when ${has('billing_payment', 'x.user_id = h.id and x.created_at > h.at')}
        or ${ofUser('billing_refund')} or ${ofUser('billing_reversal')}
        or ${has('staff_notice', `x.user_id = h.id and x.created_at >= h.at`)} then 'charged'
      when ${ofUser('checkout_attempt')} or ${ofUser('tier_change')} 
        or ${has('billing_act', `x.user_id = h.id and x.kind <> 'end'`)} then 'pays_by_card'
      when ${has('membership_applications', 'x.user_id = h.id and x.updated_at >= h.at')} then 'applied'
      when (${isMade} and h.updated_at > h.at) or ${has('audit_entry', 'x.subject_id = h.id and x.at >= h.at')}
        or ${has('given_glasses', 'x.customer_id = c.id and x.created_at >= h.at')}
        or not ${has('memberships', `x.customer_id = c.id and x.status = 'active' and x.stripe_subscription_id = h.subscription`)}
        then 'changed'
    end as because
      from h left join customers c on c.user_id = h.id`,
  );
  return row ? row.because : 'changed';
}

/** Removes an adopted membership, and the account if it was made for it. False if other rows still reference them. */
async function tryRemove(tx: Tx, row: Row): Promise<boolean> {
  const { user_id, stripe_subscription_id, made_customer_id, member_since_before, becomes } = row;
  if (!user_id || !stripe_subscription_id) return false;
  try {
    await tx.transaction(async (inner) => {
      await release(inner, { user_id, stripe_subscription_id, made_customer_id, member_since_before });
      if (becomes !== 'made') return;
      // Links for setting a first password.
      await inner.delete(verifications).where(eq(verifications.value, user_id));
      await inner.delete(profiles).where(eq(profiles.id, user_id));
    });
    return true;
  } catch (error) {
    if (!violatedConstraint(error)) throw error;
    return false;
  }
}
