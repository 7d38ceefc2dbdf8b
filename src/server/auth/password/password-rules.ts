import { createAuthMiddleware } from 'better-auth/api';
import { Refusal } from '../../../contract/refusals.ts';
import { eq } from '../../db/orm.ts';
import { profiles } from '../../db/schema.ts';
import type { AuthServices } from '../auth-context.ts';
import { toAuthError } from '../auth-error.ts';
import { passwordFlaw } from './guessable.ts';

interface PasswordOwner {
  email: string;
  first_name: string;
  last_name: string;
  phone?: string | null;
}

const REFUSED = { common: 'PASSWORD_COMMON', personal: 'PASSWORD_PERSONAL' } as const;

/** Throws Refusal PASSWORD_COMMON, PASSWORD_PERSONAL. */
export async function assertHardToGuess(
  { venue }: Pick<AuthServices, 'venue'>,
  password: string,
  { email, first_name, last_name, phone }: PasswordOwner,
): Promise<void> {
  const ownWords = [email, first_name, last_name, `${first_name}${last_name}`, phone ?? ''];
  const flaw = passwordFlaw(password, {
    common: await commonPasswords(),
    own: ownWords,
    club: venue.club_name,
  });
  if (flaw) throw new Refusal(REFUSED[flaw]);
}

/** The user's names, email and phone. Throws Refusal NOT_SIGNED_IN if there is no user. */
export async function passwordOwner(
  { db }: Pick<AuthServices, 'db'>,
  user_id: string,
): Promise<PasswordOwner> {
  const { email, first_name, last_name, phone } = profiles;
  const self = eq(profiles.id, user_id);
  const [owner] = await db.select({ email, first_name, last_name, phone }).from(profiles).where(self);
  if (!owner) throw new Refusal('NOT_SIGNED_IN');
  return owner;
}

/**
 * Refuses passwords that are easy to guess, at a password reset. A refused one does not use up the link; the library
 * refuses invalid links itself.
 */
export function passwordRules(services: Pick<AuthServices, 'db' | 'venue'>) {
  return createAuthMiddleware(async ({ path, body, context }) => {
    if (path !== '/reset-password') return;
    try {
      const link = await context.internalAdapter.findVerificationValue(`reset-password:${body.token}`);
      if (link)
        await assertHardToGuess(services, body.newPassword, await passwordOwner(services, link.value));
    } catch (error) {
      throw toAuthError(error);
    }
  });
}

let passwords: Promise<ReadonlySet<string>> | undefined;

/** Passwords from leaks (docs/decisions/passkeys-and-passwords.md), loaded when the first password is chosen. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  passwords ??= import('@zxcvbn-ts/language-common/src/passwords.json', { with: { type: 'json' } }).then(
    ({ default: list }) => new Set(list),
  );
  return passwords;
}
