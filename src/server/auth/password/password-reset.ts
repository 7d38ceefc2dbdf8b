import { createHash } from 'node:crypto';
import type { Tx } from '../../db/client.ts';
import { and, eq, sql } from '../../db/orm.ts';
import { profiles, verifications } from '../../db/schema.ts';
import { type MailContext, sendEmail } from '../../mail/send-email.ts';
import { isUserOnRecord } from '../../membership/on-record.ts';
import { endCards } from '../../membership/ways-to-drink.ts';
import type { AuthServices } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { revokeAccess } from '../revoke-access.ts';
import { reopenSecondStep } from '../two-factor/second-step-lock.ts';
import { removeSecondFactor } from '../two-factor/two-factor-reset.ts';

const RESET_LINK_MINUTES = 30;
const FIRST_PASSWORD_HOURS = 24;

/** A link to choose a first password, handed over or emailed. Hashed, and used like the auth library's reset links. */
export async function createFirstPasswordLink(
  { newId, newSecret, venue }: Pick<AuthServices, 'newId' | 'newSecret' | 'venue'>,
  tx: Tx,
  user_id: string,
  hours = FIRST_PASSWORD_HOURS,
): Promise<string> {
  const token = newSecret();
  // The library uses the machine's clock, which `now` may not be.
  const at = sql`now()`;
  await tx.insert(verifications).values({
    id: newId(),
    identifier: createHash('sha256').update(`reset-password:${token}`).digest('base64url'),
    value: user_id,
    expiresAt: sql`now() + make_interval(hours => ${hours}::integer)`,
    createdAt: at,
    updatedAt: at,
  });
  return `${venue.public_url}/reset-password#${token}`;
}

/** Emails a link to choose a first password; `kind` says why there is none. The same `cause` is emailed once. */
export async function emailFirstPassword(
  ctx: Parameters<typeof createFirstPasswordLink>[0] & MailContext,
  tx: Tx,
  user_id: string,
  kind: 'first_password' | 'choose_password' | 'joined',
  cause = ctx.newId(),
): Promise<void> {
  const link = await createFirstPasswordLink(ctx, tx, user_id);
  const email = authEmails[kind].about({ link, hours: FIRST_PASSWORD_HOURS });
  const aboutMoney = kind === 'joined';
  await sendEmail(ctx, tx, { user_id, cause: `first-password:${cause}`, aboutMoney, email });
}

export function passwordReset(
  config: Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'>,
  afterReset: (user_id: string, request: Request | undefined) => void,
) {
  const { db, now, newId } = config;
  return {
    resetPasswordTokenExpiresIn: RESET_LINK_MINUTES * 60,
    async sendResetPassword({ user, token }: { user: { id: string }; token: string }): Promise<void> {
      await sendEmail(config, db, {
        user_id: user.id,
        cause: `recovery:${newId()}`,
        email: authEmails.password_reset.about({ token, minutes: RESET_LINK_MINUTES }),
      });
    },
    async onPasswordReset(
      { user: { id: user_id } }: { user: { id: string } },
      request?: Request,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        // A link to an unconfirmed account came by email, so following it proves access to that inbox. Someone else may
        // have set up a second factor before, which the owner of the address could never pass, or have printed a card.
        const rows = await tx
          .update(profiles)
          .set({ emailVerified: true })
          .where(and(eq(profiles.id, user_id), eq(profiles.emailVerified, false)))
          .returning({ id: profiles.id });
        if (rows.length > 0) {
          await removeSecondFactor(tx, user_id, now());
          // A partner is shown to the owner, who can remove them; a printed card is not.
          if (!(await isUserOnRecord(tx, user_id))) await endCards(tx, user_id);
        }
        await reopenSecondStep(config, tx, user_id);
        // An intruder may have linked an account, added a passkey or created an API client: all of it ends.
        const { passkeys } = await revokeAccess(tx, { user_id, cause: 'password_reset' });
        await sendEmail(config, tx, {
          user_id,
          cause: `password-changed:${newId()}`,
          email: authEmails.password_changed.about({ passkeys_removed: passkeys > 0 }),
        });
      });
      afterReset(user_id, request);
    },
  };
}
