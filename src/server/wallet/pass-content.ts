import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { monthName } from '../../domain/calendar.ts';
import { tierLabel } from '../../domain/tiers.ts';
import type { CardContext } from '../card/card-context.ts';
import { ensurePaperCard } from '../card/paper-card.ts';
import { customers, tier_definitions } from '../db/schema.ts';
import { allowanceOf } from '../pours/allowance.ts';

/** What a pass says, in any wallet. */
export interface PassContent {
  name: string;
  tier: string;
  /** 'March 2024' */
  member_since: string;
  pours_left: number;
  /** The code for paper. */
  code: string;
  /** False without access: wallets show the pass as out of use. */
  valid: boolean;
}

/** A pass, with when its content changes by itself: at the end of the billing period, in seconds since 1970. */
export interface CurrentPass {
  content: PassContent;
  resets_at: number;
}

export type PassContentContext = Pick<CardContext, 'db' | 'now' | 'newId' | 'paperKey' | 'timeZone'>;

/** Changed when passes begin to look different, so that those on phones follow. */
const LAYOUT = 1;

/** What a member's pass says now; null when there is no such member. Makes a code for paper where there is none. */
export async function currentPass(ctx: PassContentContext, customerId: string): Promise<CurrentPass | null> {
  const member = await allowanceOf(ctx, 'id', customerId);
  if (!member) return null;
  const [card] = await ctx.db
    .select({ member_since: customers.member_since, tier: tier_definitions.display_name })
    .from(customers)
    .leftJoin(tier_definitions, eq(tier_definitions.tier_name, customers.tier))
    .where(eq(customers.id, customerId));
  if (!card) return null;
  const { token } = await ensurePaperCard(ctx, customerId);
  return {
    content: {
      name: `${member.first_name} ${member.last_name}`,
      tier: card.tier ?? tierLabel(member.tier),
      member_since: monthName(card.member_since),
      pours_left: member.available_pours,
      code: token,
      valid: member.access,
    },
    resets_at: member.resets_at,
  };
}

export function hashOfContent(content: PassContent): string {
  return createHash('sha256')
    .update(JSON.stringify({ LAYOUT, ...content }))
    .digest('hex');
}
