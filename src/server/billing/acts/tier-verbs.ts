import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import type { MailContext } from '../../mail/send-email.ts';
import {
  addTier,
  featureTier,
  listTierSettings,
  offerTier,
  orderTiers,
  type TierTerms,
  updateTier,
} from '../../membership/tier-settings.ts';
import { billingMailer } from '../notices/billing-mailer.ts';
import { announceMoves, type MoveContext, type MoveReport, withdrawMoves } from './announce-moves.ts';
import { countMoves, previewMoves } from './preview-moves.ts';

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
  { tier_name, ...terms }: { tier_name: string } & TierTerms,
) {
  await addTier(ctx, tier_name, terms);
  return listTiersForStaff(ctx);
}

/** Throws what updateTier throws. */
export async function updateTierByStaff(
  ctx: TierContext,
  {
    tier_name,
    ...changes
  }: { tier_name: string } & { [Term in keyof TierTerms]?: TierTerms[Term] | undefined },
) {
  // Absent and undefined terms stay unchanged.
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  await updateTier(ctx, tier_name, Object.fromEntries(named) as Partial<TierTerms>);
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
