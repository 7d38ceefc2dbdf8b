import type { z } from 'zod';
import type {
  createPasskeyInput,
  createPasskeyOptionsInput,
  signInWithPasskeyInput,
} from '../../../contract/auth/auth.ts';
import { creationOptions, requestOptions } from '../../../contract/auth/webauthn.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { count, eq } from '../../db/orm.ts';
import { passkeys } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { AuthContext } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { callLibrary, type LibraryContext } from '../library-call.ts';
import { reauthenticate } from '../password/reauthenticate.ts';

const MAX_PASSKEYS = 10;

const OK = { ok: true } as const;

/** The library requires a field that devices are not asked for. */
const withoutExtensions = <R extends { response: object }>({ response, ...rest }: R) => ({
  ...rest,
  response: { ...response, clientExtensionResults: {} },
});

/**
 * Options from which the device makes a passkey. Requires the password besides the session. Throws what reauthenticate
 * throws, and Refusal TOO_MANY_PASSKEYS, BROWSER_NEEDED.
 */
export async function createPasskeyOptions(
  ctx: AuthContext & LibraryContext & { actor: { app: boolean } },
  { password }: z.output<typeof createPasskeyOptionsInput>,
): Promise<z.output<typeof creationOptions>> {
  const { user_id, app } = ctx.actor;
  // A passkey is made at our own origin, and its challenge waits in a cookie.
  if (app) throw new Refusal('BROWSER_NEEDED');
  const options = await callLibrary(ctx, '/passkey/generate-register-options', {
    async requires() {
      await reauthenticate(ctx, user_id, password);
      const [row] = await ctx.db.select({ had: count() }).from(passkeys).where(eq(passkeys.userId, user_id));
      if (row && row.had >= MAX_PASSKEYS) throw new Refusal('TOO_MANY_PASSKEYS');
    },
  });
  const result = creationOptions.parse(options);
  // The club's current name; the library uses the name from its start.
  return { ...result, rp: { ...result.rp, name: ctx.venue.club_name } };
}

/**
 * Adds the passkey that a device made, and emails its owner. Throws Refusal NOT_VERIFIED_BY_DEVICE, PASSKEY_IN_USE,
 * PASSKEY_NOT_ADDED, CHALLENGE_NOT_FOUND.
 */
export async function createPasskey(
  ctx: AuthContext & LibraryContext,
  { name, response }: z.output<typeof createPasskeyInput>,
): Promise<typeof OK> {
  await callLibrary(ctx, '/passkey/verify-registration', {
    body: { name, response: withoutExtensions(response) },
  });
  await sendEmail(ctx, ctx.db, {
    user_id: ctx.actor.user_id,
    cause: `passkey-added:${ctx.newId()}`,
    email: authEmails.passkey_added.about({ name }),
  });
  return OK;
}

/** Options for signing in with any passkey of this site, after the device verified its owner. */
export async function signInWithPasskeyOptions(
  ctx: LibraryContext,
): Promise<z.output<typeof requestOptions>> {
  const options = await callLibrary(ctx, '/passkey/generate-authenticate-options');
  return requestOptions.parse({ ...options, userVerification: 'required' });
}

/** Throws Refusal PASSKEY_NOT_FOUND, PASSKEY_REFUSED, CHALLENGE_NOT_FOUND, NOT_VERIFIED_BY_DEVICE, EMAIL_NOT_VERIFIED. */
export async function signInWithPasskey(
  ctx: LibraryContext,
  { response }: z.output<typeof signInWithPasskeyInput>,
): Promise<typeof OK> {
  await callLibrary(ctx, '/passkey/verify-authentication', {
    body: { response: withoutExtensions(response) },
  });
  return OK;
}
