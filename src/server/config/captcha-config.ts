export interface CaptchaConfig {
  provider: 'turnstile' | 'hcaptcha' | 'recaptcha';
  siteKey: string;
  secretKey: string;
  /** Replaces the provider's own verification URL; tests use it. */
  verifyUrl?: string | undefined;
}
