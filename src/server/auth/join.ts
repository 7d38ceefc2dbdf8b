import type { z } from 'zod';
import type { joinInput } from '../../contract/auth/auth.ts';
import { Refusal } from '../../contract/refusals.ts';
import { callLibrary } from './library-call.ts';
import { PASSWORD_LATER } from './password-later.ts';
import type { SignUpContext } from './sign-up.ts';

// Rules: docs/rules/membership.md, "Joining from a tier".

/**
 * Creates a customer without a password, signed in. Throws Refusal EMAIL_TAKEN, CAPTCHA_REQUIRED, CAPTCHA_FAILED,
 * TOO_MANY_ATTEMPTS, and EMAIL_NOT_VERIFIED where nobody is signed in before their email is confirmed.
 */
export async function join(
  ctx: SignUpContext & { newSecret(): string },
  { phone, captcha, ...person }: z.output<typeof joinInput>,
): Promise<{ ok: true }> {
  if (ctx.auth.options.emailAndPassword.requireEmailVerification) throw new Refusal('EMAIL_NOT_VERIFIED');
  const body = {
    ...person,
    ...(phone ? { phone } : {}),
    email: person.email.toLowerCase(),
    name: `${person.first_name} ${person.last_name}`,
    // The library wants one, and limits, captcha and answers are those of any sign-up.
    password: ctx.newSecret(),
    [PASSWORD_LATER]: true,
  };
  await callLibrary(ctx, '/sign-up/email', { body, captcha });
  return { ok: true };
}
