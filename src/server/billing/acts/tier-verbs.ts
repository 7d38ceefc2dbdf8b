import type { InputOf } from '../../../contract/base.ts';
import type {
  MovePreview,
  MoveReport,
  TierSetting,
  tierSettings,
} from '../../../contract/staff/tier-settings.ts';
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
import { isOpenMove, type MoveAct } from '../state/acts.ts';
import {
  announceMoves,
  type MoveContext,
  membersOf,
  NOBODY,
  stepOf,
  tierCalled,
  withdrawMoves,
} from './announce-moves.ts';

/** Context for the calls about tiers. `cellar-door tiers` runs the same verbs of announce-moves.ts. */
type TierContext = Omit<MoveContext, 'post'> & MailContext;

/** Every tier with its members and announced moves, those on offer first. Amounts in the currency's smallest unit. */
export async function listTiersForStaff({ db }: Pick<TierContext, 'db'>): Promise<TierSetting[]> {
  const open = await openMoves(db);
  const tiers = await listTierSettings({ db });
  return tiers.map(({ sort_order: _, ...tier }) => {
    const days = open
      .filter(({ terms }) => terms.to_tier === tier.tier_name)
      .map(({ starts_at }) => starts_at.toISOString());
    const [first_at, last_at] = [days[0], days.at(-1)];
    return { ...tier, moves: first_at && last_at ? { count: days.length, first_at, last_at } : null };
  });
}

/** A verb that changes the tiers and returns them all; it throws what `change` throws. */
const thenList =
  <Input>(change: (ctx: TierContext, input: Input) => Promise<unknown>) =>
  async (ctx: TierContext, input: Input): Promise<TierSetting[]> => {
    await change(ctx, input);
    return listTiersForStaff(ctx);
  };

export const addTierByStaff = thenList((ctx, { tier_name, ...terms }: InputOf<typeof tierSettings.add>) =>
  addTier(ctx, tier_name, terms),
);

export const updateTierByStaff = thenList(
  (ctx, { tier_name, ...changes }: InputOf<typeof tierSettings.update>) =>
    updateTier(ctx, tier_name, changes),
);

export const offerTierByStaff = thenList((ctx, { tier_name, on_offer }: InputOf<typeof tierSettings.offer>) =>
  offerTier(ctx, tier_name, on_offer),
);

export const orderTiersByStaff = thenList((ctx, { tiers }: { tiers: string[] }) => orderTiers(ctx, tiers));

export const featureTierByStaff = thenList((ctx, { tier_name }: { tier_name: string | null }) =>
  featureTier(ctx, tier_name),
);

/** The members whom a move of a whole tier would notify, and when it would take effect. Throws Refusal NOT_FOUND. */
export async function previewTierMove(
  ctx: TierContext,
  { tier_name, to = tier_name }: InputOf<typeof tierSettings.previewMove>,
): Promise<MovePreview> {
  const { db } = ctx;
  const target = await tierCalled(db, to);
  const announced = new Set((await openMoves(db)).map(({ user_id }) => user_id));
  const report: MoveReport = { ...NOBODY };
  const days: string[] = [];
  for (const { subscription } of await membersOf(db, { tier: tier_name })) {
    const step = subscription ? stepOf(subscription, target, ctx) : 'at_venue';
    const isAnnounced = announced.has(subscription?.user_id ?? '');
    if (step instanceof Date && !isAnnounced) days.push(step.toISOString());
    report[step instanceof Date ? (isAnnounced ? 'already_announced' : 'announced') : step] += 1;
  }
  const { monthly_price_cents: price_cents, monthly_pours } = target;
  days.sort();
  return {
    ...report,
    price_cents,
    monthly_pours,
    first_at: days[0] ?? null,
    last_at: days.at(-1) ?? null,
  };
}

/** Throws what announceMoves throws. */
export function moveTierMembers(
  ctx: TierContext,
  { tier_name, to, price_cents }: InputOf<typeof tierSettings.move>,
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

const openMoves = async (db: Db): Promise<MoveAct[]> =>
  (await db.select().from(billing_act).where(isOpenMove).orderBy(billing_act.starts_at)) as MoveAct[];
