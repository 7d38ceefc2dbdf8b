import { Refusal } from '../../contract/refusals.ts';
import type { ConsentWords } from '../../domain/consent.ts';
import type { Db, Tx } from '../db/client.ts';
import { consent } from '../db/schema.ts';

/**
 * The consent's text: the current one, if the client showed it; null if it showed none. Throws Refusal CONSENT_OUTDATED,
 * with the current text, if it showed another.
 */
export function agreedWords(version: string | undefined, current: ConsentWords | null): ConsentWords | null {
  if (version === undefined) return null;
  if (version !== current?.version) throw new Refusal('CONSENT_OUTDATED', { current });
  return current;
}

export interface Consent {
  user_id: string;
  what: 'account' | 'subscription' | 'household' | 'gift';
  /**
   * The user's id for an account, the checkout attempt for a subscription, the seat for a household, the gift for one
   * bought or redeemed.
   */
  act_id: string;
  /** With null, nothing is stored. */
  words: ConsentWords | null;
}

/** Stores a consent in the transaction of its act; a repeated one is ignored. docs/rules/membership.md, "Consent". */
export async function storeConsent(
  { now, newId }: { now(): Date; newId(): string },
  tx: Db | Tx,
  { words, ...about }: Consent,
): Promise<void> {
  if (!words) return;
  await tx
    .insert(consent)
    .values({
      id: newId(),
      ...about,
      text_version: words.version,
      text: words.text,
      terms_url: words.terms?.url ?? null,
      created_at: now(),
    })
    .onConflictDoNothing();
}
