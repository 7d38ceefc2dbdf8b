import type { InputOf } from '../../../contract/base.ts';
import type { TierSetting, tierSettings } from '../../../contract/staff/tier-settings.ts';
import type { Db } from '../../db/client.ts';
import { billing_act } from '../../db/schema.ts';
import type { MailContext } from '../../mail/send-email.ts';
import {
  addTier,
  featureTier,
  listTierSettings,
  offerTier,
  orderTiers,
  updateTier,
} from '../../membership/tier-settings.ts';
import { billingMailer } from '../notices/billing-mailer.ts';
import { isOpenMove, type MoveAct } from './acts.ts';
import {
  announceMoves,
  type MoveContext,
  type MoveReport,
  membersOf,
  NOBODY,
  stepOf,
  tierCalled,
  withdrawMoves,
} from './announce-moves.ts';

/** Context for the calls about tiers. `cellar-door tiers` runs the same verbs of announce.ts. */
type TierContext = Omit<MoveContext, 'post'> & MailContext;

/** Every tier with its members and announced moves, those on offer first. Amounts in the currency's smallest unit. */
export async function listTiersForStaff({ db }: Pick<TierContext, 'db'>): Promise<TierSetting[]> {
  const moves = await countMoves(db);
  const tiers = await listTierSettings({ db });
  return tiers.map(({ sort_order: _, ...tier }) => {
    const open = moves.get(tier.tier_name);
    return {
      ...tier,
      moves: open
        ? {
            count: open.count,
            first_at: open.first_at.toISOString(),
            last_at: open.last_at.toISOString(),
          }
        : null,
    };
  });
}

/** Throws what addTier throws. */
export async function addTierByStaff(
  ctx: TierContext,
  { tier_name, ...terms }: InputOf<typeof tierSettings.add>,
) {
  await addTier(ctx, tier_name, terms);
  return listTiersForStaff(ctx);
}

/** Throws what updateTier throws. */
export async function updateTierByStaff(
  ctx: TierContext,
  { tier_name, ...changes }: InputOf<typeof tierSettings.update>,
) {
  await updateTier(ctx, tier_name, changes);
  return listTiersForStaff(ctx);
}

/** Throws what offerTier throws. */
export async function offerTierByStaff(
  ctx: TierContext,
  { tier_name, on_offer }: { tier_name: string; on_offer: boolean },
) {
  await offerTier(ctx, tier_name, on_offer);
  return listTiersForStaff(ctx);
}

/** Throws what orderTiers throws. */
export async function orderTiersByStaff(ctx: TierContext, { tiers }: { tiers: string[] }) {
  await orderTiers(ctx, tiers);
  return listTiersForStaff(ctx);
}

/** Throws what featureTier throws. */
export async function featureTierByStaff(ctx: TierContext, { tier_name }: { tier_name: string | null }) {
  await featureTier(ctx, tier_name);
  return listTiersForStaff(ctx);
}

/** Throws Refusal NOT_FOUND. */
export async function previewTierMove(
  ctx: TierContext,
  { tier_name, to }: { tier_name: string; to?: string | undefined },
) {
  const { first_at, last_at, ...preview } = await previewMoves(ctx, { tier: tier_name, to });
  return {
    ...preview,
    first_at: first_at?.toISOString() ?? null,
    last_at: last_at?.toISOString() ?? null,
  };
}

/** Throws what announceMoves throws. */
export function moveTierMembers(
  ctx: TierContext,
  { tier_name, to, price_cents }: { tier_name: string; to?: string | undefined; price_cents: number },
): Promise<MoveReport> {
  return announceMoves({ ...ctx, post: billingMailer(ctx) }, { who: { tier: tier_name }, to, price_cents });
}

export async function withdrawTierMoves(
  ctx: TierContext,
  { tier_name }: { tier_name: string },
): Promise<{ withdrawn: number }> {
  const withdrawn = await withdrawMoves({ ...ctx, post: billingMailer(ctx) }, { tier: tier_name });
  return { withdrawn };
}

/** The effect of announcing a move, without doing it. */
interface MovePreview extends MoveReport {
  price_cents: number;
  monthly_pours: number;
  /** The first and last renewals at the new price; null if nobody would pay it. */
  first_at: Date | null;
  last_at: Date | null;
}

/** The members whom a move of a whole tier would notify, and when it would take effect. Throws Refusal NOT_FOUND. */
async function previewMoves(
  ctx: Pick<MoveContext, 'db' | 'currency' | 'now'>,
  { tier, to = tier }: { tier: string; to?: string | undefined },
): Promise<MovePreview> {
  const { db } = ctx;
  const target = await tierCalled(db, to);
  const announced = new Set((await openMoves(db)).map(({ user_id }) => user_id));
  const report: MoveReport = { ...NOBODY };
  const days: number[] = [];
  for (const { subscription } of await membersOf(db, { tier })) {
    const step = subscription ? stepOf(subscription, target, ctx) : 'at_venue';
    const isAnnounced = announced.has(subscription?.user_id ?? '');
    if (step instanceof Date && !isAnnounced) days.push(step.getTime());
    report[step instanceof Date ? (isAnnounced ? 'already_announced' : 'announced') : step] += 1;
  }
  const { monthly_price_cents: price_cents, monthly_pours } = target;
  days.sort((a, b) => a - b);
  const at = (day: number | undefined) => (day === undefined ? null : new Date(day));
  return { ...report, price_cents, monthly_pours, first_at: at(days[0]), last_at: at(days.at(-1)) };
}

async function openMoves(db: Db): Promise<{ user_id: string; to: string; effective_at: Date }[]> {
  const moves = await db.select().from(billing_act).where(isOpenMove).orderBy(billing_act.starts_at);
  return (moves as MoveAct[]).map(({ user_id, terms, starts_at }) => ({
    user_id,
    to: terms.to_tier,
    effective_at: starts_at,
  }));
}

/** Open moves per tier, and when they take effect. */
async function countMoves(db: Db): Promise<Map<string, { count: number; first_at: Date; last_at: Date }>> {
  const counts = new Map<string, { count: number; first_at: Date; last_at: Date }>();
  for (const { to, effective_at } of await openMoves(db)) {
    const { count, first_at } = counts.get(to) ?? { count: 0, first_at: effective_at };
    counts.set(to, { count: count + 1, first_at, last_at: effective_at });
  }
  return counts;
}
