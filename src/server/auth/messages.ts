/** By code, where the identity library's own words do not say what to do next. */
export const AUTH_MESSAGES: Record<string, string> = {
  EMAIL_NOT_VERIFIED: 'Please confirm your mail address first: follow the link in our newest mail to you.',
  TOKEN_EXPIRED: 'This link is too old.',
  CHALLENGE_NOT_FOUND: 'That took too long. Please try again.',
  PASSKEY_NOT_FOUND: 'This passkey is no longer known here. Please sign in with your password.',
  AUTHENTICATION_FAILED:
    'Your passkey could not be checked. Please try again, or sign in with your password.',
  FAILED_TO_VERIFY_REGISTRATION: 'The passkey could not be added. Please try again.',
};

/** What the library calls its own failure, and is the device's answer that does not fit. */
export const CALLERS_FAULT = 'FAILED_TO_VERIFY_REGISTRATION';
