import { createHash, createHmac } from 'node:crypto';
import { giftCodeOf } from '../../../domain/membership/gift.ts';
import type { IdentifiedKey } from '../../config/purpose-key.ts';
import type { Tx } from '../../db/client.ts';
import { eq, sql } from '../../db/orm.ts';
import { gift_membership } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';

export type GiftRow = typeof gift_membership.$inferSelect;

/** The stored hash of a gift code. A code has 100 bits, so it cannot be guessed from the hash. */
export const hashOfGiftCode = (code: string): string => createHash('sha256').update(code).digest('hex');

const codeOf = ({ key }: IdentifiedKey, id: string, version: number): string =>
  giftCodeOf(createHmac('sha256', key).update(`${id}:${version}`).digest());

function keyOf({ giftKey }: Pick<BillingDeps, 'giftKey'>): IdentifiedKey {
  if (!giftKey) throw new Error('Gift codes are not made here');
  return giftKey;
}

/**
 * The code of a paid gift that the caller has locked: made now if there is none yet, or if `renew` asks for a new one,
 * which ends the old. Null for a code made with an earlier AUTH_SECRET: it still works, but cannot be shown.
 */
export async function giftCode(
  deps: Pick<BillingDeps, 'giftKey'>,
  tx: Tx,
  { id, code_key_id, code_version }: GiftRow,
  { renew = false }: { renew?: boolean } = {},
): Promise<string | null> {
  const key = keyOf(deps);
  if (code_key_id && !renew) return code_key_id === key.id ? codeOf(key, id, code_version) : null;
  const code = codeOf(key, id, code_version + 1);
  await tx
    .update(gift_membership)
    .set({
      code_hash: hashOfGiftCode(code),
      code_key_id: key.id,
      code_version: sql`${gift_membership.code_version} + 1`,
    })
    .where(eq(gift_membership.id, id));
  return code;
}

/** Clears the personal fields of a gift when it is redeemed or its code is dead. */
export const WITHOUT_WORDS = { to_name: null, message: null, recipient_email: null } as const;
