import { eq } from 'drizzle-orm';
import type { Profile } from '../../contract/members.ts';
import { Refusal } from '../../domain/refusal.ts';
import { profiles } from '../db/schema.ts';
import type { MembershipContext } from './membership-context.ts';

export interface ProfileChange {
  first_name?: string;
  last_name?: string;
  phone?: string | null;
}

/** Updates the actor's profile; fields that are absent stay as they are. The display name follows the two names. */
export async function updateProfile(
  { db, actor, now }: MembershipContext,
  change: ProfileChange,
): Promise<Profile> {
  return db.transaction(async (tx) => {
    const [old] = await tx.select().from(profiles).where(eq(profiles.id, actor.user_id)).for('update');
    if (!old || old.erased_at) throw new Refusal('NOT_SIGNED_IN');
    const { id, email } = old;
    const { first_name = old.first_name, last_name = old.last_name } = change;
    const phone = change.phone === undefined ? old.phone : change.phone || null;
    await tx
      .update(profiles)
      .set({ first_name, last_name, phone, name: `${first_name} ${last_name}`, updatedAt: now() })
      .where(eq(profiles.id, id));
    return { id, email, first_name, last_name, phone };
  });
}
