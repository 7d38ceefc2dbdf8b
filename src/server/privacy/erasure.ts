import { Refusal } from '../../contract/refusals.ts';
import { AUTOMATIC, type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { authEmails, type DeletionCause } from '../auth/auth-emails.ts';
import { holdAccount } from '../auth/member-account/member-account.ts';
import { reauthenticate } from '../auth/password/reauthenticate.ts';
import { revokeAccess } from '../auth/revoke-access.ts';
import {
  type CanceledBilling,
  cancelEverything,
  closeBillingRows,
} from '../billing/upkeep/account-closure.ts';
import type { Tx } from '../db/client.ts';
import { eq } from '../db/orm.ts';
import { isDeadlock, violatedConstraint } from '../db/results.ts';
import { profiles } from '../db/schema.ts';
import { composeEmail } from '../mail/email.ts';
import { endSharingOfAccount } from '../membership/household/seats.ts';
import { removeAllTags } from '../membership/record/tags.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import { PERSONAL_DATA } from './inventory.ts';
import { eraseMentions } from './mentions.ts';
import { ownCustomer, type Person, personOf, withoutEmail } from './personal-data-table.ts';
import type { ErasureContext, PrivacyContext } from './privacy-context.ts';

/** Limits wrong passwords and repeated attempts together; the window is in seconds. */
const DELETIONS = { max: 5, window: 900 };
/** Each round cancels what was started during the previous one. */
const MAX_ROUNDS = 3;

/** The name left in a profile that ledger rows still reference. */
const FORMER = { first_name: 'Former', last_name: 'member' };

/**
 * Deletes the actor's account (docs/decisions/erasure.md): first cancels everything at Stripe, then erases the personal
 * data in one transaction. After a failure, calling it again continues where it stopped. Throws what reauthenticate throws,
 * and Refusal TOO_MANY_ATTEMPTS or PAYMENTS_UNAVAILABLE (nothing is deleted then).
 */
export async function deleteAccount(
  ctx: PrivacyContext,
  { password }: { password: string },
): Promise<{ removed: true }> {
  const { user_id } = ctx.actor;
  await consumeRateLimit(ctx, `remove-account:${user_id}`, DELETIONS);
  await reauthenticate(ctx, user_id, password);
  await eraseAccount(ctx, { user_id, why: 'asked' });
  return { removed: true };
}

/**
 * Deletes a member's account for them, by staff who enter their own password. Throws Refusal NOT_FOUND, STAFF_ACCOUNT, and
 * what deleteAccount throws.
 */
export async function deleteMemberAccount(
  ctx: PrivacyContext,
  { customer_id, password }: { customer_id: string; password: string },
): Promise<{ removed: true }> {
  await reauthenticate(ctx, ctx.actor.user_id, password);
  const { id: user_id } = await ctx.db.transaction((tx) => holdAccount(tx, { customer_id }));
  await eraseAccount(ctx, { user_id, why: 'by staff', actor: ctx.actor });
  return { removed: true };
}

interface Erasure {
  user_id: string;
  /** The owner asked, or staff for them, or the club keeps no unused accounts. The last email says which. */
  why: DeletionCause;
  /** The name in the audit, which has no entry if the owner asks. */
  actor?: AuditContext['actor'];
  /** Asked in the transaction, before it writes anything; with false, the account stays. */
  stillDue?(tx: Tx): Promise<boolean>;
}

/**
 * Cancels everything at Stripe, then erases an account in one transaction. False if it stays because it is no longer due.
 * Throws Refusal PAYMENTS_UNAVAILABLE.
 */
export async function eraseAccount(ctx: ErasureContext, erasure: Erasure): Promise<boolean> {
  const { db, billing, log } = ctx;
  const { user_id } = erasure;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const cancellation = await cancelEverything(billing, user_id);
    try {
      const outcome = await db.transaction((tx) => erase(ctx, tx, erasure, cancellation));
      if (outcome === 'kept') return false;
      if (outcome === 'erased') {
        log.info({ user_id }, 'account deleted');
        return true;
      }
    } catch (error) {
      // Nothing was written: this locks all rows of a person, and some calls use another order.
      if (!isDeadlock(error)) throw error;
    }
  }
  log.error({ user_id }, 'The account was not deleted: payments kept starting, or deadlocks kept ending it');
  throw new Refusal('PAYMENTS_UNAVAILABLE');
}

/**
 * Erases an account. Nothing is changed, and the result is 'again', if a payment was started since everything was canceled,
 * or 'kept', if the erasure is no longer due.
 */
async function erase(
  ctx: ErasureContext,
  tx: Tx,
  { user_id, why, actor = AUTOMATIC, stillDue }: Erasure,
  cancellation: CanceledBilling,
): Promise<'erased' | 'again' | 'kept'> {
  const { billing, outbox, venue, newId } = ctx;
  if (stillDue && !(await stillDue(tx))) return 'kept';
  if (!(await closeBillingRows(billing, tx, user_id, cancellation))) return 'again';
  const person = await personOf(tx, user_id);
  // Already erased: the button was pressed twice.
  if (!person) return 'erased';

  await endSharingOfAccount(ctx, tx, user_id);
  await removeAllTags(tx, ownCustomer(person));
  await emptyProfile(ctx, tx, user_id);
  await revokeAccess(tx, { user_id, cause: 'account_deleted' });
  const owner = person.confirmed || why === 'by staff' ? person : withoutEmail(person);
  await eraseMentions(tx, owner);
  await erasePersonalData(tx, owner);
  await outbox.enqueue(
    tx,
    `farewell:${newId()}`,
    { user_id: null, email: person.email, limited: !person.confirmed },
    composeEmail(venue, authEmails.account_deleted.about({ why }), person.first_name),
  );
  if (why !== 'asked') {
    const act = why === 'unused' ? 'unused_account_deleted' : 'account_deleted';
    await recordAudit(tx, { ...ctx, actor }, { act, subject_id: user_id, facts: {} });
  }
  await dropUnneededProfile(tx, user_id);
  return 'erased';
}

async function emptyProfile({ now }: ErasureContext, tx: Tx, userId: string): Promise<void> {
  const at = now();
  await tx
    .update(profiles)
    .set({
      ...FORMER,
      name: `${FORMER.first_name} ${FORMER.last_name}`,
      // Unique, and undeliverable by RFC 2606. The real email can be used again.
      email: `${userId}@former-member.invalid`,
      emailVerified: false,
      image: null,
      phone: null,
      twoFactorEnabled: false,
      last_sign_in_at: null,
      retention_notice_at: null,
      updatedAt: at,
      erased_at: at,
    })
    .where(eq(profiles.id, userId));
}

async function erasePersonalData(tx: Tx, person: Person): Promise<void> {
  for (const { table, of, kept } of PERSONAL_DATA) {
    if (kept === 'nothing') await tx.delete(table).where(of(person));
    else if (Object.keys(kept.erased).length > 0) await tx.update(table).set(kept.erased).where(of(person));
  }
}

/** Deletes the profile too, unless a ledger row references it. */
async function dropUnneededProfile(tx: Tx, userId: string): Promise<void> {
  try {
    await tx.transaction((inner) => inner.delete(profiles).where(eq(profiles.id, userId)));
  } catch (error) {
    if (!violatedConstraint(error)) throw error;
  }
}
