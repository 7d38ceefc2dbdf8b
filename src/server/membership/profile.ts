import type { InputOf } from '../../contract/base.ts';
import type { Profile } from '../../contract/members.ts';
import type { profile } from '../../contract/profile.ts';
import { importedConsent } from '../../domain/consent.ts';
import { eq } from '../db/orm.ts';
import { imported_account, profiles } from '../db/schema.ts';
import { agreedWords, storeConsent } from './consents.ts';
import type { MembershipContext } from './membership-context.ts';
import { holdUser } from './record/locks.ts';

/** Changes the actor's profile; absent fields stay. The display name follows the two names. Throws Refusal NOT_SIGNED_IN. */
export async function updateProfile(
  { db, actor, now }: MembershipContext,
  change: InputOf<typeof profile.update>,
): Promise<Profile> {
  return db.transaction(async (tx) => {
    const profile = await holdUser(tx, actor.user_id, 'no key update');
    const { id, email } = profile;
    const { first_name = profile.first_name, last_name = profile.last_name } = change;
    const phone = change.phone === undefined ? profile.phone : change.phone || null;
    await tx
      .update(profiles)
      .set({ first_name, last_name, phone, name: `${first_name} ${last_name}`, updatedAt: now() })
      .where(eq(profiles.id, id));
    return { id, email, first_name, last_name, phone };
  });
}

/**
 * Stores the consent of an imported actor; repeating it changes nothing. Throws Refusal CONSENT_OUTDATED, with the current
 * text.
 */
export async function agree(
  ctx: MembershipContext,
  { consent_version }: { consent_version: string },
): Promise<{ agreed: true }> {
  const words = agreedWords(consent_version, importedConsent(ctx.venue));
  const { user_id } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const rows = await tx.delete(imported_account).where(eq(imported_account.user_id, user_id)).returning();
    if (rows.length > 0) await storeConsent(ctx, tx, { user_id, what: 'account', act_id: user_id, words });
  });
  return { agreed: true };
}
