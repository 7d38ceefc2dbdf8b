import { passkey } from '@better-auth/passkey';
import { Refusal, type RefusalCode } from '../../../contract/refusals.ts';
import { eq } from '../../db/orm.ts';
import { passkeys, profiles } from '../../db/schema.ts';
import type { AuthServices } from '../auth-context.ts';
import { toAuthError } from '../auth-error.ts';

interface PasskeyConfig extends Pick<AuthServices, 'db' | 'now' | 'venue'> {
  publicUrl: string;
  /** Throws if this user may not sign in yet. */
  admit(user: { id: string; email: string; emailVerified: boolean }): Promise<void>;
}

const refuse = (code: Extract<RefusalCode, 'NOT_VERIFIED_BY_DEVICE' | 'PASSKEY_IN_USE' | 'NOT_SIGNED_IN'>) =>
  toAuthError(new Refusal(code));

/**
 * Passkeys: docs/decisions/passkeys-and-passwords.md. The device always verifies its owner, so that a passkey is as good as
 * a password and a code.
 */
export function passkeyPlugin({ publicUrl, admit, db, now, venue }: PasskeyConfig) {
  const { hostname, origin } = new URL(publicUrl);
  return passkey({
    rpID: hostname,
    rpName: venue.club_name,
    origin,
    schema: { passkey: { modelName: 'passkeys' } },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    registration: {
      async afterVerification({ verification }) {
        const { userVerified, credential } = verification.registrationInfo ?? {};
        if (!userVerified || !credential) throw refuse('NOT_VERIFIED_BY_DEVICE');
        const filter = eq(passkeys.credentialID, credential.id);
        const [twin] = await db.select({ id: passkeys.id }).from(passkeys).where(filter);
        if (twin) throw refuse('PASSKEY_IN_USE');
      },
    },
    authentication: {
      async afterVerification({ verification, clientData }) {
        // The library itself only asks that a user was present.
        if (!verification.authenticationInfo.userVerified) throw refuse('NOT_VERIFIED_BY_DEVICE');
        const filter = eq(passkeys.credentialID, clientData.id);
        const [user] = await db
          .select({ id: profiles.id, email: profiles.email, emailVerified: profiles.emailVerified })
          .from(passkeys)
          .innerJoin(profiles, eq(profiles.id, passkeys.userId))
          .where(filter);
        if (!user) throw refuse('NOT_SIGNED_IN');
        await admit(user);
        await db.update(passkeys).set({ lastUsedAt: now() }).where(filter);
      },
    },
  });
}
