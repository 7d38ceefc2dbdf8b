import { z } from 'zod';
import { email } from '../../contract/forms/credentials.ts';
import type { MoveReport } from '../../contract/staff/tier-settings.ts';
import { text } from '../../contract/text.ts';
import { COMMAND_LINE } from '../audit/record-audit.ts';
import { announceMoves, listMoves, type MoveContext, withdrawMoves } from '../billing/acts/announce-moves.ts';
import { billingMailer } from '../billing/notices/billing-mailer.ts';

const name = text(50).min(1);
const who = z.union([z.strictObject({ email }), z.strictObject({ tier: name })]);

/** Commands of `cellar-door tiers`, which can also move single members, unlike the office. */
export const tierCommand = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('move'), who, to: name.optional() }),
  z.strictObject({ do: z.literal('moves') }),
  z.strictObject({ do: z.literal('withdraw'), who }),
]);
export type TierCommand = z.infer<typeof tierCommand>;

/** The command's result; amounts in the currency's smallest unit. */
export interface TierAnswer {
  currency: string;
  moved?: MoveReport;
  withdrawn?: number;
  moves?: Awaited<ReturnType<typeof listMoves>>;
}

/** Has no connection to Stripe: the sweeper makes the changes there. */
type TierCommandContext = Omit<MoveContext, 'post' | 'actor'> & Parameters<typeof billingMailer>[0];

/** Runs one command of `cellar-door tiers`. Throws Refusal NOT_FOUND. */
export async function runTierCommand(
  services: TierCommandContext,
  command: TierCommand,
): Promise<TierAnswer> {
  const ctx = { ...services, actor: COMMAND_LINE, post: billingMailer(services) } as const;
  const { currency } = services;
  if (command.do === 'move') return { currency, moved: await announceMoves(ctx, command) };
  if (command.do === 'withdraw') return { currency, withdrawn: await withdrawMoves(ctx, command.who) };
  return { currency, moves: await listMoves(services) };
}
