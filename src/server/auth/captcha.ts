import { captcha as libraryCaptcha } from 'better-auth/plugins';
import type { CaptchaConfig } from '../config/captcha-config.ts';

/** Where each provider's widget loads from, for the content security policy. The providers require https. */
const SOURCES: Record<
  CaptchaConfig['provider'],
  { script: string[]; frame: string[]; styleAndConnect?: string[] }
> = {
  turnstile: {
    script: ['https://challenges.cloudflare.com'],
    frame: ['https://challenges.cloudflare.com'],
  },
  hcaptcha: {
    script: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    frame: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    styleAndConnect: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
  recaptcha: {
    script: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    frame: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
  },
};

export function captchaSources(captcha: CaptchaConfig | null): {
  script: string[];
  frame: string[];
  style: string[];
  connect: string[];
} {
  if (!captcha) return { script: [], frame: [], style: [], connect: [] };
  const { script, frame, styleAndConnect = [] } = SOURCES[captcha.provider];
  return { script, frame, style: styleAndConnect, connect: styleAndConnect };
}

/** The header in which the auth library looks for the visitor's solution. */
export const CAPTCHA_HEADER = 'x-captcha-response';

/** Guards the endpoints with which a stranger can make us send email: sign-up and password reset. */
export function captchaPlugin({ provider, secretKey, siteKey, verifyUrl }: CaptchaConfig) {
  const settings = {
    secretKey,
    endpoints: ['/sign-up/email', '/request-password-reset'],
    ...(verifyUrl ? { siteVerifyURLOverride: verifyUrl } : {}),
  };
  if (provider === 'hcaptcha') return libraryCaptcha({ ...settings, provider, siteKey });
  if (provider === 'recaptcha') return libraryCaptcha({ ...settings, provider: 'google-recaptcha' });
  return libraryCaptcha({ ...settings, provider: 'cloudflare-turnstile' });
}
