import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { dayName, monthName } from '../../domain/calendar.ts';
import type { Coordinates } from '../../domain/club/coordinates.ts';
import { tierLabel } from '../../domain/tiers.ts';
import type { CardContext } from '../card/card-context.ts';
import { ensurePaperCard } from '../card/paper-card.ts';
import { and, eq } from '../db/orm.ts';
import { customers, memberships, tier_definitions } from '../db/schema.ts';
import type { Venue } from '../mail/email.ts';
import { allowanceOf } from '../pours/allowance.ts';

export interface PassContent {
  name: string;
  tier: string;
  /** 'March 2024' */
  member_since: string;
  pours_left: number;
  /** 'July 15, 2026'; absent unless the membership is the member's own, at the venue, and its dues are counted. */
  paid_until?: string;
  code: string;
  /** Where the venue is, if the club says so. */
  place?: Coordinates;
  /** False without access: wallets then mark the pass as invalid. */
  valid: boolean;
}

/** A pass, and when its content next changes by itself: at the end of the billing period, in seconds since 1970. */
export interface CurrentPass {
  content: PassContent;
  resets_at: number;
}

export type PassContentContext = Pick<CardContext, 'db' | 'now' | 'newId' | 'paperKey'> & { venue: Venue };

/** Raise this when the passes' design changes, so that those on phones are updated. */
const LAYOUT = 1;

/** A member's current pass; null if there is no such member. Makes a paper code if needed. */
export async function currentPass(ctx: PassContentContext, customerId: string): Promise<CurrentPass | null> {
  const member = await allowanceOf(ctx, 'id', customerId);
  if (!member) return null;
  const [card] = await ctx.db
    .select({
      member_since: customers.member_since,
      tier: tier_definitions.display_name,
      paid_until: memberships.paid_until,
    })
    .from(customers)
    .leftJoin(tier_definitions, eq(tier_definitions.tier_name, customers.tier))
    .leftJoin(memberships, and(eq(memberships.customer_id, customers.id), eq(memberships.status, 'active')))
    .where(eq(customers.id, customerId));
  if (!card) return null;
  const { place } = ctx.venue;
  const { token } = await ensurePaperCard(ctx, customerId);
  return {
    content: {
      name: `${member.first_name} ${member.last_name}`,
      tier: card.tier ?? tierLabel(member.tier),
      member_since: monthName(card.member_since),
      pours_left: member.available_pours,
      ...(card.paid_until !== null && { paid_until: dayName(card.paid_until) }),
      code: token,
      ...(place && { place }),
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

/** The token in a pass, which authorizes its devices to fetch it again. Not stored. */
export function passToken(key: Uint8Array, passId: string): string {
  return createHmac('sha256', key).update(passId).digest('base64url');
}

export function isPassToken(key: Uint8Array, passId: string, token: string): boolean {
  const [expected, actual] = [passToken(key, passId), token].map((it) => Buffer.from(it));
  return expected !== undefined && actual?.length === expected.length && timingSafeEqual(actual, expected);
}
