import { COMMAND_LINE } from '../audit/record-audit.ts';
import { eq, isNotNull } from '../db/orm.ts';
import { profiles, staff_pin, stripe_setup, two_factors, user_roles } from '../db/schema.ts';
import type { AuthServices } from './auth-context.ts';
import { recordSecret } from './secret-kept.ts';
import { resetTwoFactorOf } from './two-factor/two-factor-reset.ts';

/** What a lost AUTH_SECRET takes with it. */
export interface SecretLoss {
  second_factors: number;
  pins: number;
  /** The signing secret of Stripe's messages, which the set-up stored. */
  stripe: number;
}

export async function countSecretLoss({ db }: Pick<AuthServices, 'db'>): Promise<SecretLoss> {
  return {
    second_factors: await db.$count(two_factors),
    pins: await db.$count(staff_pin),
    stripe: await db.$count(stripe_setup, isNotNull(stripe_setup.sealed_secret)),
  };
}

/**
 * Gives a database whose AUTH_SECRET is lost to a new one: removes what only the old one opens, so that a second step, a PIN
 * and the endpoint at Stripe can be set up again. Everyone with a second factor is emailed, as at a reset by staff.
 */
export async function forgetSecret(
  ctx: Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'>,
  secret: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const users = await tx
      .select({ id: profiles.id, role: user_roles.role })
      .from(two_factors)
      .innerJoin(profiles, eq(profiles.id, two_factors.userId))
      .innerJoin(user_roles, eq(user_roles.user_id, profiles.id));
    for (const user of users) await resetTwoFactorOf(tx, { ...ctx, actor: COMMAND_LINE }, user);
    await tx.delete(staff_pin);
    await tx.update(stripe_setup).set({ sealed_secret: null });
    await recordSecret(tx, secret);
  });
}
