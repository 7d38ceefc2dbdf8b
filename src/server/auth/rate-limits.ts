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

/** Limits of guesses from a device that the account knows: a stranger's do not count there. Windows in seconds. */
export const KNOWN_DEVICE_LIMITS = [
  { max: 20, window: 900 },
  { max: 30, window: 86_400 },
];

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
  // Each sign-in has 5 codes; two-factor/second-step-lock.ts counts those of an account.
  '/two-factor/*': { window: 60, max: 60 },
  '/passkey/*': { window: 60, max: 60 },
} as const;
