import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PaperCard } from '../../contract/card/card.ts';
import { Refusal } from '../../contract/refusals.ts';
import { decodePaperCard, encodePaperCard, PAPER_PROOF_BYTES } from '../../domain/card.ts';
import type { IdentifiedKey } from '../config/purpose-key.ts';
import { and, eq, gt, isNull } from '../db/orm.ts';
import { paper_card, wallet_pass } from '../db/schema.ts';
import { allowanceOf } from '../pours/allowance.ts';
import type { CardContext } from './card-context.ts';

type PaperCardRow = typeof paper_card.$inferSelect;
type PaperContext = Pick<CardContext, 'db' | 'now' | 'newId' | 'paperKey'>;

/** Replacements per member and day; their rows stay. */
const REPLACEMENTS = { max: 5, window: 86_400 };

const proofOf = ({ key }: IdentifiedKey, id: string) =>
  createHmac('sha256', key).update(id).digest().subarray(0, PAPER_PROOF_BYTES);

const hashOf = (proof: Uint8Array) => createHash('sha256').update(proof).digest();

const toPaperCard = (key: IdentifiedKey, { id, issued_at }: PaperCardRow): PaperCard => ({
  token: encodePaperCard(id, proofOf(key, id)),
  issued_at: issued_at.toISOString(),
});

/**
 * The card of a paper code, replaced or not; null for any other text. Codes outlive a change of the key that made them:
 * the row has a hash.
 */
export async function findPaperCard(
  { db }: Pick<PaperContext, 'db'>,
  token: string,
): Promise<PaperCardRow | null> {
  const code = decodePaperCard(token);
  if (!code) return null;
  const [card] = await db.select().from(paper_card).where(eq(paper_card.id, code.id));
  if (!card?.proof_hash) return null;
  return timingSafeEqual(hashOf(code.proof), Buffer.from(card.proof_hash, 'hex')) ? card : null;
}

async function currentPaperCard(
  { db, paperKey }: Pick<PaperContext, 'db' | 'paperKey'>,
  customerId: string,
): Promise<PaperCard | null> {
  const [card] = await db
    .select()
    .from(paper_card)
    .where(
      and(
        eq(paper_card.customer_id, customerId),
        eq(paper_card.key_id, paperKey.id),
        isNull(paper_card.replaced_at),
      ),
    );
  return card ? toPaperCard(paperKey, card) : null;
}

/** The member's paper card, made now if there is none. Two calls at once make one card. */
export async function ensurePaperCard(ctx: PaperContext, customerId: string): Promise<PaperCard> {
  const { db, now, newId, paperKey } = ctx;
  const current = await currentPaperCard(ctx, customerId);
  if (current) return current;
  const id = newId();
  const [row] = await db
    .insert(paper_card)
    .values({
      id,
      customer_id: customerId,
      proof_hash: hashOf(proofOf(paperKey, id)).toString('hex'),
      key_id: paperKey.id,
      issued_at: now(),
    })
    .onConflictDoNothing()
    .returning();
  const card = row ? toPaperCard(paperKey, row) : await currentPaperCard(ctx, customerId);
  if (!card) throw new Error('A paper card was replaced while it was being made');
  return card;
}

/** The actor's own member row. Throws Refusal CUSTOMER_NOT_ACTIVE without access. */
export async function ownMember(ctx: CardContext) {
  const member = await allowanceOf(ctx, 'user_id', ctx.actor.user_id);
  if (!member?.access) throw new Refusal('CUSTOMER_NOT_ACTIVE');
  return member;
}

/** The actor's paper code; null without access, or before the first one is made. */
export async function getOwnPaperCard(ctx: CardContext): Promise<PaperCard | null> {
  const member = await allowanceOf(ctx, 'user_id', ctx.actor.user_id);
  return member?.access ? currentPaperCard(ctx, member.id) : null;
}

/** The actor's paper card, made now if there is none. Throws Refusal CUSTOMER_NOT_ACTIVE without access. */
export async function issuePaperCard(ctx: CardContext): Promise<PaperCard> {
  return ensurePaperCard(ctx, (await ownMember(ctx)).id);
}

/**
 * Replaces all paper codes of the actor with a new one, and ends their passes in wallets; staff who scan an earlier code see
 * that it was replaced. Throws Refusal CUSTOMER_NOT_ACTIVE, or TOO_MANY_ATTEMPTS after five within a day.
 */
export async function replacePaperCard(ctx: CardContext): Promise<PaperCard> {
  const { id: customerId } = await ownMember(ctx);
  const { max, window } = REPLACEMENTS;
  return ctx.db.transaction(async (tx) => {
    const at = ctx.now();
    const filter = eq(paper_card.customer_id, customerId);
    const timeFilter = gt(paper_card.replaced_at, new Date(at.getTime() - window * 1000));
    if ((await tx.$count(paper_card, and(filter, timeFilter))) >= max) {
      throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: window });
    }
    await tx
      .update(paper_card)
      .set({ replaced_at: at })
      .where(and(filter, isNull(paper_card.replaced_at)));
    // A pass would show the new code on every phone that ever held it, also on a lost one.
    await tx.delete(wallet_pass).where(eq(wallet_pass.user_id, ctx.actor.user_id));
    return ensurePaperCard({ ...ctx, db: tx }, customerId);
  });
}
