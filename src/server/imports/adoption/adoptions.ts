import { Refusal } from '../../../contract/refusals.ts';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { rememberPrices, tiersOfPrices } from '../../billing/adoption/release.ts';
import { and, eq, sql } from '../../db/orm.ts';
import { member_import_row, tier_definitions } from '../../db/schema.ts';
import type { ImportContext } from '../import-context.ts';
import { ADOPTION_NAME, changeImport, holdImport, onlyOneOpen, openImport } from '../member-imports.ts';
import { ADOPTION_COLUMNS, ADOPTION_MAPPING } from './read-step.ts';

// Rules: docs/rules/imports.md, "Taking over subscriptions from Stripe".

/** Starts reading the subscriptions at Stripe, in the background. Throws Refusal IMPORT_OPEN, PAYMENTS_OFF. */
export async function createAdoption({ db, now, newId }: ImportContext): Promise<MemberImport> {
  return openImport(db, {
    id: newId(),
    source: 'stripe',
    file_name: ADOPTION_NAME,
    status: 'reading',
    columns: ADOPTION_COLUMNS,
    mapping: ADOPTION_MAPPING,
    date_order: 'month_first',
    created_at: now(),
  });
}

/**
 * Sets the tiers of the prices, and checks every row again. Throws Refusal NOT_FOUND, IMPORT_CHANGED, or IMPORT_MAPPING for
 * an unknown tier, or a price that belongs to another tier here.
 */
export async function checkAdoption(
  { db }: ImportContext,
  { id, tiers }: { id: string; tiers: Record<string, string | null> },
): Promise<MemberImport> {
  return db.transaction(async (tx) => {
    const { prices } = await holdImport(tx, id, ['checking', 'checked'], 'stripe');
    const choices = (prices ?? []).map((it) => ({ ...it, tier: tiers[it.price] ?? null }));
    const tierNames = new Set((await tx.select().from(tier_definitions)).map((it) => it.tier_name));
    const here = await tiersOfPrices(
      tx,
      choices.map(({ price }) => price),
    );
    for (const { price, name, tier } of choices) {
      if (tier !== null && !tierNames.has(tier)) {
        throw new Refusal('IMPORT_MAPPING', { why: `There is no tier “${tier}”.` });
      }
      const currentTier = here.get(price);
      if (currentTier && currentTier !== tier) {
        throw new Refusal('IMPORT_MAPPING', { why: `“${name}” already pays for ${currentTier} here.` });
      }
    }
    await tx
      .update(member_import_row)
      .set({ problems: null, remarks: null, becomes: null })
      .where(and(eq(member_import_row.import_id, id), sql`${member_import_row.problems} is not null`));
    return changeImport(tx, id, { done_rows: 0, ready_rows: 0, status: 'checking', prices: choices });
  });
}

/** Adopts the subscriptions without a problem, in the background. Throws Refusal NOT_FOUND, IMPORT_CHANGED. */
export async function startAdoption(ctx: ImportContext, { id }: { id: string }): Promise<MemberImport> {
  return ctx.db.transaction(async (tx) => {
    const { ready_rows, prices } = await holdImport(tx, id, ['checked'], 'stripe');
    if (ready_rows === 0) throw new Refusal('IMPORT_CHANGED');
    const facts = { import_id: id, rows: ready_rows };
    await recordAudit(tx, ctx, { act: 'subscriptions_adopted', subject_id: null, facts });
    await rememberPrices(
      tx,
      (prices ?? []).flatMap(({ price, product, tier, unit_cents, currency, interval }) =>
        tier && unit_cents !== null && interval === 'month'
          ? [
              {
                stripe_price_id: price,
                stripe_product_id: product,
                tier_name: tier,
                amount_cents: unit_cents,
                currency,
              },
            ]
          : [],
      ),
      ctx.now(),
    );
    return changeImport(tx, id, {
      status: 'importing',
      done_rows: 0,
      started_by_staff_id: ctx.actor.user_id,
    });
  });
}

/**
 * Releases adopted subscriptions that are not in use, in the background. Throws Refusal NOT_FOUND, IMPORT_OPEN, or
 * IMPORT_CHANGED, also once the import's rows are deleted.
 */
export async function undoAdoption(ctx: ImportContext, { id }: { id: string }): Promise<MemberImport> {
  return onlyOneOpen(() =>
    ctx.db.transaction(async (tx) => {
      const { rows_deleted_at, imported_rows } = await holdImport(tx, id, ['imported', 'undone'], 'stripe');
      if (rows_deleted_at) throw new Refusal('IMPORT_CHANGED');
      const facts = { import_id: id, rows: imported_rows };
      await recordAudit(tx, ctx, { act: 'adoption_undone', subject_id: null, facts });
      return changeImport(tx, id, { status: 'undoing', done_rows: 0, kept_rows: 0, emails_wanted: false });
    }),
  );
}
