import type { InputOf } from '../../contract/base.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { tierSettings } from '../../contract/staff/tier-settings.ts';
import { type Benefit, benefitText } from '../../domain/membership/benefit.ts';
import type { AuditFacts } from '../../domain/staff/audit.ts';
import { TIER_NAME, type TierObstacle, tierTermsObstacle, yearPriceObstacle } from '../../domain/tiers.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, asc, eq, inArray, ne, or, sql } from '../db/orm.ts';
import { refusing } from '../db/results.ts';
import {
  billing_act,
  billing_subscription,
  checkout_attempt,
  customers,
  memberships,
  tier_definitions,
} from '../db/schema.ts';
import { writeAllDueGrants } from '../pours/due-grants.ts';
import { benefitsOfTiers, setBenefits } from './tier-benefits.ts';
import { rolloverOfTiers, setRollover } from './tier-rollover.ts';

type TierSettingsContext = AuditContext & { db: Db };

type TierRow = typeof tier_definitions.$inferSelect;

type TierSettings = TierRow & { rollover_glasses: number; benefits: (Benefit & { id: string })[] };

/** The terms of a tier for members. Amounts in the currency's smallest unit. */
type TierTerms = Omit<InputOf<typeof tierSettings.add>, 'tier_name'>;

/** Tiers on offer first, each group in display order, with their current members, including partners. */
export async function listTierSettings({ db }: { db: Db }) {
  const rows = await db
    .select()
    .from(tier_definitions)
    .orderBy(asc(tier_definitions.sort_order), asc(tier_definitions.monthly_price_cents));
  const rollover = await rolloverOfTiers(db);
  const benefits = await benefitsOfTiers(db);
  const counts = rows.map(async (row) => ({
    ...row,
    rollover_glasses: rollover.get(row.tier_name) ?? 0,
    benefits: benefits.get(row.tier_name) ?? [],
    members: await db.$count(
      customers,
      and(eq(customers.tier, row.tier_name), eq(customers.status, 'active')),
    ),
  }));
  const tiers = await Promise.all(counts);
  return [...tiers.filter((it) => it.is_active), ...tiers.filter((it) => !it.is_active)];
}

function refuse(reason: TierObstacle | null): void {
  if (reason) throw new Refusal('TIER_SETTING_REFUSED', { reason });
}

/**
 * Adds a tier's new glasses to every paid running period of the tier, one row each, with the tier's row locked: a grant
 * written at the same moment waits, and has the new number. An unpaid period gets them with its payment.
 */
async function correctGrants(tx: Tx, at: Date, tier_name: string, glasses: number): Promise<void> {
  const now = sql`${at.toISOString()}::timestamptz`;
  // Periods count as they stand: the payment may name another tier, and Stripe another end. One that is a trial can last for
  // years.
  await tx.execute(sql`
    insert into glass_change (id, grant_id, kind, glasses, created_at)
    select gen_random_uuid(), g.id, 'tier_glasses', ${glasses}::integer, ${now}
      from grants_as_of(${now}) g join memberships m on m.id = g.membership_id and m.status = 'active'
     where g.id in (select id from glass_grant where valid_until > ${now}
                    union all select grant_id from glass_change where valid_until > ${now})
       and g.kind in ('period', 'advance') and g.tier = ${tier_name} and g.paid and g.valid_until > ${now}`);
}

/** Locks all tiers, in one order, against other changes by staff. Rows about members still refer to them. */
const lockTiers = (tx: Tx): Promise<TierRow[]> =>
  tx.select().from(tier_definitions).orderBy(tier_definitions.tier_name).for('no key update');

/** Throws Refusal NOT_FOUND. */
function named(tiers: TierRow[], tier_name: string): TierRow {
  const tier = tiers.find((it) => it.tier_name === tier_name);
  if (!tier) throw new Refusal('NOT_FOUND', { what: 'tier' });
  return tier;
}

async function lockTier(tx: Tx, tier_name: string): Promise<TierRow> {
  const [tier] = await tx
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.tier_name, tier_name))
    .for('update');
  if (!tier) throw new Refusal('NOT_FOUND', { what: 'tier' });
  return tier;
}

/**
 * Changes a tier's words, price, glasses, people or benefits. A new price applies to those who join or change to the tier from now
 * on; members stay on theirs until moved (docs/rules/billing.md, "Prices and moves"). More glasses or people apply to
 * everyone at once; fewer are only allowed while no one has the tier. A new limit of guest glasses applies to those given
 * from now on, a new rollover limit to billing periods that begin from now on. Throws Refusal NOT_FOUND or
 * TIER_SETTING_REFUSED.
 */
export async function updateTier(
  ctx: TierSettingsContext & { venue: { time_zone: string } },
  tier_name: string,
  { rollover_glasses, benefits, ...changes }: Partial<TierTerms>,
): Promise<TierSettings> {
  refuse(tierTermsObstacle({ ...changes, rollover_glasses, benefits }));
  // Months without a visit, which are not written yet, keep the tier's old number.
  if (changes.monthly_pours !== undefined) await writeAllDueGrants(ctx);
  return ctx.db.transaction(async (tx) => {
    const tier = await lockTier(tx, tier_name);
    refuse(yearPriceObstacle({ ...tier, ...changes }));
    const isReduced =
      (changes.monthly_pours ?? tier.monthly_pours) < tier.monthly_pours ||
      (changes.people ?? tier.people) < tier.people;
    if (isReduced && (await isInUse(tx, tier_name))) refuse('members_have_it');
    const [row = tier] = await tx
      .update(tier_definitions)
      // Includes the name, because an empty change would be invalid SQL.
      .set({ ...changes, tier_name })
      .where(eq(tier_definitions.tier_name, tier_name))
      .returning();
    const increase = row.monthly_pours - tier.monthly_pours;
    if (increase > 0) await correctGrants(tx, ctx.now(), tier_name, increase);
    const before = (await rolloverOfTiers(tx)).get(tier_name) ?? 0;
    const after = rollover_glasses ?? before;
    if (after !== before) await setRollover(tx, ctx.now(), tier_name, after);
    const listBefore = (await benefitsOfTiers(tx)).get(tier_name) ?? [];
    if (benefits) await setBenefits(tx, ctx, tier_name, benefits);
    const list = benefits ? ((await benefitsOfTiers(tx)).get(tier_name) ?? []) : listBefore;
    const settings = { ...row, rollover_glasses: after, benefits: list };
    await auditChange(tx, ctx, { ...tier, rollover_glasses: before, benefits: listBefore }, settings);
    return settings;
  });
}

async function auditChange(
  tx: Tx,
  ctx: AuditContext,
  before: TierSettings,
  after: TierSettings,
): Promise<void> {
  const isPriceChanged = after.monthly_price_cents !== before.monthly_price_cents;
  const isYearChanged = after.yearly_price_cents !== before.yearly_price_cents;
  const isGlassesChanged = after.monthly_pours !== before.monthly_pours;
  const isTextChanged =
    after.display_name !== before.display_name || after.description !== before.description;
  const isPeopleChanged = after.people !== before.people;
  const isGuestChanged = after.guest_glasses !== before.guest_glasses;
  const isRolloverChanged = after.rollover_glasses !== before.rollover_glasses;
  const listText = ({ benefits }: TierSettings) => benefits.map(benefitText).join('; ');
  const isListChanged = listText(after) !== listText(before);
  if (
    !isPriceChanged &&
    !isYearChanged &&
    !isGlassesChanged &&
    !isTextChanged &&
    !isPeopleChanged &&
    !isGuestChanged &&
    !isRolloverChanged &&
    !isListChanged
  )
    return;
  const facts: AuditFacts['tier_changed'] = {
    tier: after.tier_name,
    ...(isPriceChanged && {
      price_cents: after.monthly_price_cents,
      price_cents_before: before.monthly_price_cents,
    }),
    ...(isYearChanged && { year_cents: after.yearly_price_cents }),
    ...(isGlassesChanged && { glasses: after.monthly_pours, glasses_before: before.monthly_pours }),
    ...(isPeopleChanged && { people: after.people }),
    ...(isGuestChanged && { guest_glasses: after.guest_glasses }),
    ...(isRolloverChanged && { rollover: after.rollover_glasses, rollover_before: before.rollover_glasses }),
    ...(isListChanged && { benefits: listText(after) }),
    ...(isTextChanged && { words: 'changed' as const }),
  };
  await recordAudit(tx, ctx, { act: 'tier_changed', subject_id: null, facts });
}

/** Whether any member has the tier, pays for it, is about to, or has notice of a move to it. */
async function isInUse(tx: Tx, tier: string): Promise<boolean> {
  const s = billing_subscription;
  const isLive = and(
    ne(s.status, 'canceled'),
    ne(s.status, 'incomplete_expired'),
    or(eq(s.tier, tier), eq(s.pending_tier, tier)),
  );
  const counts = [
    await tx.$count(customers, and(eq(customers.tier, tier), eq(customers.status, 'active'))),
    await tx.$count(s, isLive),
    await tx.$count(memberships, and(eq(memberships.pending_tier, tier), eq(memberships.status, 'active'))),
    await tx.$count(
      checkout_attempt,
      and(eq(checkout_attempt.tier_name, tier), inArray(checkout_attempt.status, ['creating', 'open'])),
    ),
    await tx.$count(
      billing_act,
      and(
        eq(billing_act.kind, 'price_move'),
        inArray(billing_act.state, ['asked', 'set']),
        sql`${billing_act.terms} ->> 'to_tier' = ${tier}`,
      ),
    ),
  ];
  return counts.some((count) => count > 0);
}

/** Adds a tier on offer. Throws Refusal TIER_SETTING_REFUSED. */
export async function addTier(
  ctx: TierSettingsContext,
  tier_name: string,
  { rollover_glasses = 0, benefits = [], ...terms }: TierTerms,
): Promise<TierSettings> {
  if (!TIER_NAME.test(tier_name)) refuse('name_not_allowed');
  refuse(tierTermsObstacle({ ...terms, rollover_glasses, benefits }) ?? yearPriceObstacle(terms));
  const refusals = { tier_definitions_pkey: new Refusal('TIER_SETTING_REFUSED', { reason: 'name_taken' }) };
  return refusing(refusals, () =>
    ctx.db.transaction(async (tx) => {
      const [row] = await tx
        .insert(tier_definitions)
        .values({ tier_name, ...terms })
        .returning();
      if (!row) throw new Error('The insert returned no row');
      const { monthly_price_cents: price_cents, monthly_pours: glasses } = terms;
      if (rollover_glasses > 0) await setRollover(tx, ctx.now(), tier_name, rollover_glasses);
      await setBenefits(tx, ctx, tier_name, benefits);
      const facts = { tier: tier_name, price_cents, glasses };
      await recordAudit(tx, ctx, { act: 'tier_added', subject_id: null, facts });
      return { ...row, rollover_glasses, benefits: (await benefitsOfTiers(tx)).get(tier_name) ?? [] };
    }),
  );
}

/**
 * Puts a tier on offer or takes it off: its members stay, but no new ones can choose it. Throws Refusal NOT_FOUND or
 * TIER_SETTING_REFUSED.
 */
export async function offerTier(
  ctx: TierSettingsContext,
  tier_name: string,
  is_active: boolean,
): Promise<TierRow> {
  return ctx.db.transaction(async (tx) => {
    const tiers = await lockTiers(tx);
    const tier = named(tiers, tier_name);
    if (!is_active && !tiers.some((it) => it.is_active && it !== tier)) refuse('last_on_offer');
    const [row = tier] = await tx
      .update(tier_definitions)
      .set({ is_active, is_featured: is_active && tier.is_featured })
      .where(eq(tier_definitions.tier_name, tier_name))
      .returning();
    if (tier.is_active !== is_active) {
      const act = is_active ? 'tier_offered' : 'tier_retired';
      await recordAudit(tx, ctx, { act, subject_id: null, facts: { tier: tier_name } });
    }
    return row;
  });
}

/** Shows these tiers first, in this order, and the others after them by price. Throws Refusal NOT_FOUND. */
export async function orderTiers(ctx: TierSettingsContext, names: string[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const tiers = await lockTiers(tx);
    await tx.update(tier_definitions).set({ sort_order: names.length + 1 });
    for (const [index, name] of names.entries()) {
      named(tiers, name);
      await tx
        .update(tier_definitions)
        .set({ sort_order: index + 1 })
        .where(eq(tier_definitions.tier_name, name));
    }
    const facts = { tiers: names.join(', ') };
    await recordAudit(tx, ctx, { act: 'tiers_ordered', subject_id: null, facts });
  });
}

/** Recommends one tier, or none. Throws Refusal NOT_FOUND or TIER_SETTING_REFUSED. */
export async function featureTier(ctx: TierSettingsContext, tier_name: string | null): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const tiers = await lockTiers(tx);
    await tx.update(tier_definitions).set({ is_featured: false });
    const facts = { tier: tier_name };
    await recordAudit(tx, ctx, { act: 'tier_recommended', subject_id: null, facts });
    if (tier_name === null) return;
    const { is_active } = named(tiers, tier_name);
    if (!is_active) refuse('not_on_offer');
    await tx
      .update(tier_definitions)
      .set({ is_featured: true })
      .where(eq(tier_definitions.tier_name, tier_name));
  });
}
