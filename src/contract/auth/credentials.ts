import { z } from 'zod';
import { text } from '../text.ts';

export const providerId = text(31).regex(/^[a-z][a-z0-9-]{0,30}$/);

/** A page of this app, with its query; the page itself decides who may see it. */
export const ownPath = text(500).regex(/^\/(?![/\\])/);

export const captcha = text(4096).min(1).optional();

/**
 * The field that clients of Supabase Auth add, null where their app set nothing. Calls with it ignore fields that they do not
 * know, as that service does: its clients add those of flows that we lack (docs/decisions/apps-and-clients.md).
 */
export const appExtras = {
  gotrue_meta_security: z.object({ captcha_token: captcha.nullable() }).nullish(),
};

export const SIGN_UP_REFUSALS = [
  'EMAIL_TAKEN',
  'CONSENT_OUTDATED',
  'CAPTCHA_REQUIRED',
  'CAPTCHA_FAILED',
  'PASSWORD_COMMON',
  'PASSWORD_PERSONAL',
] as const;
