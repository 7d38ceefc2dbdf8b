import { and, eq, inArray, ne } from '../../db/orm.ts';
import { audit_entry, profiles, staff_invitation, stripe_event, user_roles } from '../../db/schema.ts';
import type { MembershipContext } from '../membership-context.ts';

const TIER_ACTS = ['tier_added', 'tier_changed', 'tier_offered', 'tier_retired', 'tiers_ordered'] as const;

/** A new club's setup tasks; true for those to be done. */
export async function listTodo({ db, actor, outbox }: MembershipContext) {
  const isSelf = eq(profiles.id, actor.user_id);
  const [self] = await db.select({ on: profiles.twoFactorEnabled }).from(profiles).where(isSelf);
  const colleagues = and(eq(user_roles.role, 'staff'), ne(user_roles.user_id, actor.user_id));
  return {
    two_factor: !self?.on,
    tiers: (await db.$count(audit_entry, inArray(audit_entry.act, [...TIER_ACTS]))) === 0,
    payments: (await db.select({ id: stripe_event.id }).from(stripe_event).limit(1)).length === 0,
    team: (await db.$count(user_roles, colleagues)) === 0 && (await db.$count(staff_invitation)) === 0,
    email: !outbox.sends,
  };
}
