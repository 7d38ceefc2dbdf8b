import { describe, expect, it, test } from 'vitest';
import { ConfigurationError, readEnv } from '../../src/server/env.ts';
import { renderIndex } from '../../src/server/web.ts';

const problem = (source: Record<string, string>): string => {
  try {
    readEnv(source);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message;
  }
};

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://wine.example',
  AUTH_SECRET: 'x'.repeat(32),
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
};

describe('configuration', () => {
  it('needs nothing for the demo', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      DATA_DIR: './data',
      PUBLIC_URL: 'http://localhost:3000',
    });
  });

  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://localhost/wine'],
    ['PUBLIC_URL', 'wine.example'],
    ['AUTH_SECRET', 'too-short'],
    ['STRIPE_SECRET_KEY', 'pk_test_123'],
    ['VENUE_TIME_ZONE', 'Europe/Atlantis'],
    ['SUPPORT_EMAIL', 'somebody'],
    ['SMTP_URL', 'http://mail.example'],
    ['TRUST_PROXY', 'perhaps'],
    ['LOG_LEVEL', 'loud'],
    ['CAPTCHA_PROVIDER', 'riddle'],
    ['VERIFY_EMAIL', 'perhaps'],
  ])('a wrong %s is named, and its value is not repeated', (name, value) => {
    const message = problem({ [name]: value });
    expect(message).toContain(name);
    expect(message).not.toContain(value);
  });

  it('every wrong variable is named at once', () => {
    expect(problem({ PORT: 'x', LOG_LEVEL: 'x' })).toMatch(/PORT[\s\S]*LOG_LEVEL/);
  });

  it('a captcha is configured whole or not at all', () => {
    const keys = { CAPTCHA_SITE_KEY: 'public', CAPTCHA_SECRET_KEY: 'hidden' };
    expect(readEnv({}).captcha).toBeNull();
    expect(readEnv({ ...keys, CAPTCHA_PROVIDER: 'turnstile' }).captcha).toMatchObject({ siteKey: 'public' });
    for (const half of [keys, { CAPTCHA_PROVIDER: 'turnstile' }]) {
      expect(problem(half)).toContain('CAPTCHA_SECRET_KEY');
    }
  });

  it('providers of identities are named in one place, and each is whole or refused', () => {
    expect(readEnv({}).providers).toEqual([]);
    const google = { OIDC_GOOGLE_CLIENT_ID: 'id', OIDC_GOOGLE_CLIENT_SECRET: 'hidden' };
    const own = {
      OIDC_WINE_CLUB_ISSUER: 'https://id.example/',
      OIDC_WINE_CLUB_LABEL: 'Wine Club',
      OIDC_WINE_CLUB_CLIENT_ID: 'id',
      OIDC_WINE_CLUB_CLIENT_SECRET: 'hidden',
    };
    expect(readEnv({ OIDC_PROVIDERS: 'google, wine-club', ...google, ...own }).providers).toEqual([
      {
        id: 'google',
        label: 'Google',
        issuer: 'https://accounts.google.com',
        clientId: 'id',
        clientSecret: 'hidden',
      },
      {
        id: 'wine-club',
        label: 'Wine Club',
        issuer: 'https://id.example/',
        clientId: 'id',
        clientSecret: 'hidden',
      },
    ]);
    expect(problem({ OIDC_PROVIDERS: 'google' })).toMatch(
      /OIDC_GOOGLE_CLIENT_ID[\s\S]*OIDC_GOOGLE_CLIENT_SECRET/,
    );
    expect(problem({ OIDC_PROVIDERS: 'wine-club', ...own, OIDC_WINE_CLUB_ISSUER: '' })).toContain('_ISSUER');
    for (const names of ['credential', 'Google', 'a,a', 'a b']) {
      expect(problem({ OIDC_PROVIDERS: names })).toContain('OIDC_PROVIDERS');
    }
    const plain = { OIDC_PROVIDERS: 'wine-club', ...own, OIDC_WINE_CLUB_ISSUER: 'http://id.example' };
    expect(problem(plain)).toBe('accepted');
    expect(problem({ ...plain, ...production })).toContain('OIDC_WINE_CLUB_ISSUER');
  });

  it('an empty value is an absent one', () => {
    expect(readEnv({ PORT: '', STRIPE_SECRET_KEY: '' })).toMatchObject({ PORT: 3000 });
  });

  it('production does not start without real keys', () => {
    const message = problem({ NODE_ENV: 'production' });
    for (const name of ['PUBLIC_URL', 'AUTH_SECRET', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
      expect(message).toContain(name);
    }
  });

  it('production does not ask for addresses to be confirmed without a way to send mail', () => {
    const real = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://wine.example',
      AUTH_SECRET: 'a'.repeat(32),
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    };
    expect(readEnv(real).VERIFY_EMAIL).toBe('nudge');
    expect(problem({ ...real, VERIFY_EMAIL: 'required' })).toContain('SMTP_URL');
    expect(problem({ ...real, VERIFY_EMAIL: 'required', SMTP_URL: 'smtps://mail.example' })).toBe('accepted');
  });
});

describe('the page carries the site’s facts', () => {
  it('and no name can break out of them', () => {
    const html = '<title>__CLUB_NAME__</title><script type="application/json">__SITE__</script>';
    const page = renderIndex(html, {
      club_name: '</script><b>$& "Wine"',
      support_email: 'a@example.test',
      demo: false,
      sandbox_url: null,
      verify_email: 'nudge',
      captcha: null,
      providers: [],
    });
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).not.toContain('<b>');
    const json = page.slice(page.indexOf('json">') + 6, page.lastIndexOf('</script>'));
    expect(JSON.parse(json)).toMatchObject({ club_name: '</script><b>$& "Wine"' });
  });
});
