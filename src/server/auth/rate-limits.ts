/** The auth library's paths for the steps of a sign-in, counted per known device or client IP: sign-in-limits.ts. */
export const SIGN_IN_STEPS = [
  '/sign-in/email',
  '/sign-in/social',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/generate-authenticate-options',
  '/passkey/verify-authentication',
];
/** The limit of each step; the window is in seconds. */
export const SIGN_IN_STEP = { window: 60, max: 60 };

/**
 * Limits per client IP and path of the library, in seconds; the first match counts. Many users share a venue's IP:
 * docs/rules/api.md, "Rate limits".
 */
export const RATE_LIMITS = {
  ...Object.fromEntries(SIGN_IN_STEPS.map((path) => [path, false] as const)),
  '/link-social': { window: 60, max: 60 },
  '/callback/*': { window: 60, max: 60 },
  '/sign-up/email': { window: 3600, max: 60 },
  '/request-password-reset': { window: 3600, max: 60 },
  '/reset-password': { window: 60, max: 60 },
  '/send-verification-email': { window: 3600, max: 60 },
  '/verify-email': { window: 60, max: 60 },
  // The plugin has its own limits per account: 5 for each sign-in, 10 before it is locked.
  '/two-factor/*': { window: 60, max: 60 },
  '/passkey/*': { window: 60, max: 60 },
} as const;
