import { z } from 'zod';
import { COMMAND_LINE } from '../audit/record-audit.ts';
import { billingMailer } from '../billing/notices/billing-mailer.ts';
import {
  announceMoves,
  listMoves,
  type MoveContext,
  type MoveReport,
  type OpenPriceMove,
  withdrawMoves,
} from '../billing/price-moves/announce.ts';
import {
  addTier,
  featureTier,
  listTierSettings,
  offerTier,
  orderTiers,
  type TierWithMembers,
  updateTier,
} from '../membership/tier-settings.ts';

const name = z.string().min(1).max(50);
const terms = z.object({
  display_name: z.string().max(60),
  description: z.string().max(300),
  monthly_price_cents: z.number(),
  monthly_pours: z.number(),
  people: z.number().optional(),
  guest_glasses: z.number().optional(),
  rollover_glasses: z.number().optional(),
});
const who = z.union([z.strictObject({ email: z.email().max(254) }), z.strictObject({ tier: name })]);

/** What `npm run tiers` asks for; amounts in the currency's smallest unit. */
export const tierCommand = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('list') }),
  z.strictObject({ do: z.literal('set'), tier: name, terms: terms.partial() }),
  z.strictObject({ do: z.literal('add'), tier: name, terms }),
  z.strictObject({ do: z.literal('retire'), tier: name }),
  z.strictObject({ do: z.literal('offer'), tier: name }),
  z.strictObject({ do: z.literal('order'), tiers: z.array(name).max(100) }),
  z.strictObject({ do: z.literal('feature'), tier: name.nullable() }),
  z.strictObject({ do: z.literal('move'), who, to: name.optional() }),
  z.strictObject({ do: z.literal('moves') }),
  z.strictObject({ do: z.literal('withdraw'), who }),
]);
export type TierCommand = z.infer<typeof tierCommand>;

/** What the command did, and all tiers as they are now. */
export interface TierAnswer {
  currency: string;
  tiers: TierWithMembers[];
  moved?: MoveReport;
  withdrawn?: number;
  moves?: OpenPriceMove[];
}

/** No connection to Stripe: the sweeper makes what has to be made there. */
export type TierCommandContext = Omit<MoveContext, 'post' | 'actor'> & Parameters<typeof billingMailer>[0];

/** Runs one command of `npm run tiers`. Throws Refusal NOT_FOUND or TIER_SETTING_REFUSED. */
export async function runTierCommand(
  services: TierCommandContext,
  command: TierCommand,
): Promise<TierAnswer> {
  const done = await run(services, command);
  return { currency: services.currency, tiers: await listTierSettings(services), ...done };
}

async function run(
  services: TierCommandContext,
  command: TierCommand,
): Promise<Partial<TierAnswer> | undefined> {
  const ctx = { ...services, actor: COMMAND_LINE } as const;
  const moveContext = { ...ctx, post: billingMailer(services) };
  switch (command.do) {
    case 'set':
      await updateTier(ctx, command.tier, command.terms);
      return;
    case 'add':
      await addTier(ctx, command.tier, command.terms);
      return;
    case 'retire':
    case 'offer':
      await offerTier(ctx, command.tier, command.do === 'offer');
      return;
    case 'order':
      return orderTiers(ctx, command.tiers).then(() => undefined);
    case 'feature':
      return featureTier(ctx, command.tier).then(() => undefined);
    case 'move':
      return { moved: await announceMoves(moveContext, command) };
    case 'withdraw':
      return { withdrawn: await withdrawMoves(moveContext, command.who) };
    case 'moves':
      return { moves: await listMoves(services) };
    case 'list':
      return;
  }
}
