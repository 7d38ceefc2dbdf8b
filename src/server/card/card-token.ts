import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OutputOf } from '../../contract/base.ts';
import type { functions } from '../../contract/functions.ts';
import { unixSeconds } from '../../domain/calendar.ts';
import {
  CARD_MAC_BYTES,
  CARD_TTL_SECONDS,
  type CardClaims,
  cardBody,
  cleanCode,
  decodeCard,
  encodeCard,
} from '../../domain/card.ts';
import { isUuid } from '../../domain/uuid.ts';
import { and, eq } from '../db/orm.ts';
import { membership_applications } from '../db/schema.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import { allowanceOf, type MemberAllowance } from '../pours/allowance.ts';
import { getBarCard } from '../pours/bar-card.ts';
import { findGuestGlass } from '../pours/guest-glasses.ts';
import type { CardContext } from './card-context.ts';
import { findPaperCard, ownMember } from './paper-card.ts';

function sign(key: Uint8Array, body: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(body).digest().subarray(0, CARD_MAC_BYTES);
}

/** A signed code of 40 characters. */
export function signCardToken(key: Uint8Array, claims: CardClaims): string {
  const body = cardBody(claims);
  return encodeCard(body, sign(key, body));
}

/** The claims of a code that this venue signed, and whether it has expired; null for any other text. */
export function readCardToken(
  key: Uint8Array,
  token: string,
  now: Date,
): (CardClaims & { expired: boolean }) | null {
  const card = decodeCard(token);
  if (!card || !timingSafeEqual(card.mac, sign(key, card.body))) return null;
  return { ...card.claims, expired: card.claims.expires_at * 1000 <= now.getTime() };
}

/**
 * A code for the actor's own card; `expires_at` in seconds since 1970. Throws Refusal CUSTOMER_NOT_ACTIVE without an active
 * membership.
 */
export async function generateCardToken(ctx: CardContext): Promise<{ token: string; expires_at: number }> {
  const { id: customer_id } = await ownMember(ctx);
  const expires_at = unixSeconds(ctx.now()) + CARD_TTL_SECONDS;
  return { token: signCardToken(ctx.cardKey, { customer_id, expires_at }), expires_at };
}

type CardVerification = OutputOf<typeof functions.verifyQrToken>;

/** Enough for a busy bar, too few for guessing. */
const VERIFICATIONS = { max: 120, window: 60 };

async function readCode(ctx: CardContext, token: string) {
  const onScreen = readCardToken(ctx.cardKey, token, ctx.now());
  if (onScreen) return { ...onScreen, paper: null };
  const paper = await findPaperCard(ctx, token);
  return paper && { customer_id: paper.customer_id, expired: false, paper };
}

/**
 * Verifies a scanned or typed code for staff: docs/rules/card.md, "Membership card". Invalid: codes from elsewhere, expired
 * codes, replaced printed cards, and members without access; for the last two, `replaced` and `refused` name the member. An
 * expired code also names a member without access, who cannot get a new one. A pending applicant's user id gives the
 * application; a guest glass's code, the member who gave it. Throws Refusal TOO_MANY_ATTEMPTS.
 */
export async function verifyCardToken(ctx: CardContext, input: { token: string }): Promise<CardVerification> {
  await consumeRateLimit(ctx, `verify-qr-token:${ctx.actor.user_id}`, VERIFICATIONS);
  const token = cleanCode(input.token);
  if (isUuid(token)) return verifyApplicant(ctx, token);
  const guest = await findGuestGlass(ctx, token);
  if (guest) return verifyGuest(ctx, guest);
  const card = await readCode(ctx, token);
  const replaced_at = card?.paper?.replaced_at;
  if (!card || card.expired || replaced_at) {
    // Usually an expired card; many at once may be an attack.
    ctx.log.info({ security: 'card code', outcome: 'refused', user_id: ctx.actor.user_id }, 'card code');
  }
  const member = card && (await allowanceOf(ctx, 'id', card.customer_id));
  if (!member) return { valid: false };
  const { id, first_name, last_name, tier, available_pours } = member;
  if (replaced_at) {
    return { valid: false, replaced: { id, first_name, last_name, replaced_at: replaced_at.toISOString() } };
  }
  if (!member.access) return refusedHolder(ctx, member);
  if (card.expired) return { valid: false };
  const customer = { id, first_name, last_name, tier, pours_balance: available_pours };
  return { valid: true, customer, ...(card.paper && { paper_card_id: card.paper.id }) };
}

/** Names the member who gave a guest glass, with this glass alone: the others are not the guest's to see. */
async function verifyGuest(
  ctx: CardContext,
  { row, obstacle }: NonNullable<Awaited<ReturnType<typeof findGuestGlass>>>,
): Promise<CardVerification> {
  const member = await allowanceOf(ctx, 'id', row.customer_id);
  if (!member) return { valid: false };
  const { id, first_name, last_name, tier } = member;
  if (obstacle) return { valid: false, guest_refused: { id, first_name, last_name, reason: obstacle } };
  if (!member.access) return refusedHolder(ctx, member);
  const customer = { id, first_name, last_name, tier, pours_balance: 1 };
  return { valid: true, customer, guest_glass_id: row.id };
}

async function refusedHolder(
  ctx: CardContext,
  { id, first_name, last_name }: MemberAllowance,
): Promise<CardVerification> {
  const { standing, no_access_since, pours_return_on } = await getBarCard(ctx, { id });
  return { valid: false, refused: { id, first_name, last_name, standing, no_access_since, pours_return_on } };
}

async function verifyApplicant({ db }: CardContext, userId: string): Promise<CardVerification> {
  const [application] = await db
    .select({ id: membership_applications.id })
    .from(membership_applications)
    .where(and(eq(membership_applications.user_id, userId), eq(membership_applications.status, 'pending')));
  return application ? { valid: true, application_id: application.id } : { valid: false };
}
