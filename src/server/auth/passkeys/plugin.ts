import { passkey } from '@better-auth/passkey';
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api';
import { count, eq } from 'drizzle-orm';
import { Refusal } from '../../../domain/refusal.ts';
import { passkeys, profiles } from '../../db/schema.ts';
import type { AuthServices } from '../context.ts';
import { passkeyAddedEmail } from '../emails.ts';
import { authError, toAuthError } from '../errors.ts';
import { reauthenticate } from '../password/reauthenticate.ts';
import { DEFAULT_PASSKEY_NAME } from './passkeys.ts';

const MOST_PASSKEYS = 10;

/** In which the doorway hands over the password that was given again; the client's own copy is dropped there. */
export const PASSWORD_HEADER = 'x-cellar-door-password';

interface PasskeyServices extends Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'> {
  publicUrl: string;
  /** Throws where this person may not sign in yet. */
  admit(user: { id: string; email: string; emailVerified: boolean }): Promise<void>;
}

/**
 * Passkeys as docs/decisions/0009-passkeys.md has them: always with the person's verification by the device,
 * which is what makes one of them as good as a password and a code.
 */
export function passkeyPlugin({ publicUrl, admit, ...services }: PasskeyServices) {
  const { db, now, newId, outbox, venue } = services;
  const { hostname, origin } = new URL(publicUrl);

  const plugin = passkey({
    rpID: hostname,
    rpName: venue.club_name,
    origin,
    schema: { passkey: { modelName: 'passkeys' } },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    registration: {
      async afterVerification({ verification }) {
        const { userVerified, credential } = verification.registrationInfo ?? {};
        if (!userVerified || !credential) throw authError('NOT_VERIFIED_BY_DEVICE');
        const known = eq(passkeys.credentialID, credential.id);
        const [taken] = await db.select({ id: passkeys.id }).from(passkeys).where(known);
        if (taken) throw authError('PASSKEY_IN_USE');
      },
    },
    authentication: {
      async afterVerification({ verification, clientData }) {
        // The library itself asks only that somebody was there.
        if (!verification.authenticationInfo.userVerified) throw authError('NOT_VERIFIED_BY_DEVICE');
        const used = eq(passkeys.credentialID, clientData.id);
        const [person] = await db
          .select({ id: profiles.id, email: profiles.email, emailVerified: profiles.emailVerified })
          .from(passkeys)
          .innerJoin(profiles, eq(profiles.id, passkeys.userId))
          .where(used);
        if (!person) throw authError('NOT_SIGNED_IN');
        await admit(person);
        await db.update(passkeys).set({ lastUsedAt: now() }).where(used);
      },
    },
  });

  /** A session alone adds no way in: the password does, too. */
  const askPassword = createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/passkey/generate-register-options') return;
    const user = (await getSessionFromCtx(ctx))?.user;
    if (!user) return;
    try {
      await reauthenticate(services, user.id, decodeURIComponent(ctx.headers?.get(PASSWORD_HEADER) ?? ''));
      const [row] = await db.select({ had: count() }).from(passkeys).where(eq(passkeys.userId, user.id));
      if (row && row.had >= MOST_PASSKEYS) throw new Refusal('TOO_MANY_PASSKEYS');
    } catch (error) {
      throw toAuthError(error);
    }
  });

  const tellOwner = createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/passkey/verify-registration' || isAPIError(ctx.context.returned)) return;
    const user = (await getSessionFromCtx(ctx))?.user;
    if (!user) return;
    const [person] = await db
      .select({ first_name: profiles.first_name })
      .from(profiles)
      .where(eq(profiles.id, user.id));
    if (!person) return;
    const words = passkeyAddedEmail(venue, person.first_name, String(ctx.body?.name || DEFAULT_PASSKEY_NAME));
    await outbox.post(db, `passkey-added:${newId()}`, { user_id: user.id, email: user.email }, words);
  });

  return { plugin, askPassword, tellOwner };
}
