import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { RefusedHolder, VerifiedCustomer } from '../../contract/functions.ts';
import {
  CARD_MAC_BYTES,
  CARD_TTL_SECONDS,
  type CardClaims,
  cardBody,
  decodeCard,
  encodeCard,
  isUuid,
} from '../../domain/card.ts';
import { Refusal } from '../../domain/refusal.ts';
import { membership_applications } from '../db/schema.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import { allowanceOf } from '../pours/allowance.ts';
import { getBarCard } from '../pours/bar-card.ts';
import type { CardContext } from './card-context.ts';
import type { CardKey } from './card-key.ts';

function sign(key: CardKey, body: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(body).digest().subarray(0, CARD_MAC_BYTES);
}

/** A signed code of 40 characters. */
export function signCardToken(key: CardKey, claims: CardClaims): string {
  const body = cardBody(claims);
  return encodeCard(body, sign(key, body));
}

/** The claims of a code that this venue signed, and whether it has expired; null for any other text. */
export function readCardToken(
  key: CardKey,
  token: string,
  now: Date,
): (CardClaims & { expired: boolean }) | null {
  const card = decodeCard(token);
  if (!card || !timingSafeEqual(card.mac, sign(key, card.body))) return null;
  return { ...card.claims, expired: card.claims.expires_at * 1000 <= now.getTime() };
}

/**
 * A code for the actor's own card; expires_at in seconds since 1970.
 * Throws Refusal CUSTOMER_NOT_ACTIVE without an active membership.
 */
export async function generateCardToken(ctx: CardContext): Promise<{ token: string; expires_at: number }> {
  const member = await allowanceOf(ctx, 'user_id', ctx.actor.user_id);
  if (!member?.access) throw new Refusal('CUSTOMER_NOT_ACTIVE');
  const expires_at = Math.floor(ctx.now().getTime() / 1000) + CARD_TTL_SECONDS;
  return { token: signCardToken(ctx.cardKey, { customer_id: member.id, expires_at }), expires_at };
}

interface CardVerification {
  valid: boolean;
  customer?: VerifiedCustomer;
  application_id?: string;
  refused?: RefusedHolder;
}

/** Enough for a busy bar, too few for guessing. */
const VERIFICATIONS = { max: 120, window: 60 };

/**
 * Verifies a scanned or typed code for staff: docs/rules.md, "Membership card". Not valid are codes that this venue did
 * not sign, expired codes, and members without access; of the last, `refused` says whose code it is and why, also when
 * it has expired, as they can get no new one. A pending applicant's user id gives the application.
 * Throws Refusal TOO_MANY_ATTEMPTS.
 */
export async function verifyCardToken(ctx: CardContext, input: { token: string }): Promise<CardVerification> {
  await consumeRateLimit(ctx, `verify-qr-token:${ctx.actor.user_id}`, VERIFICATIONS);
  const token = input.token.trim();
  if (isUuid(token)) return verifyApplicant(ctx, token);
  const card = readCardToken(ctx.cardKey, token, ctx.now());
  if (!card || card.expired) {
    // Usually an expired card; many at once may be an attack.
    ctx.log.info({ security: 'card code', outcome: 'refused', user_id: ctx.actor.user_id }, 'card code');
  }
  const member = card && (await allowanceOf(ctx, 'id', card.customer_id));
  if (!member) return { valid: false };
  const { id, first_name, last_name, tier, available_pours } = member;
  if (!member.access) {
    const { standing, no_access_since } = await getBarCard(ctx, { id });
    return { valid: false, refused: { id, first_name, last_name, standing, no_access_since } };
  }
  if (card.expired) return { valid: false };
  return { valid: true, customer: { id, first_name, last_name, tier, pours_balance: available_pours } };
}

async function verifyApplicant({ db }: CardContext, userId: string): Promise<CardVerification> {
  const [application] = await db
    .select({ id: membership_applications.id })
    .from(membership_applications)
    .where(and(eq(membership_applications.user_id, userId), eq(membership_applications.status, 'pending')));
  return application ? { valid: true, application_id: application.id } : { valid: false };
}
