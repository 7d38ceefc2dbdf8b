import { describe, expect, it, test } from 'vitest';
import type { Site } from '../../../src/contract/site.ts';
import { ConfigurationError } from '../../../src/server/config/config-error.ts';
import { readEnv } from '../../../src/server/config/env.ts';
import { siteOf, stripeSettings } from '../../../src/server/config/settings.ts';
import { pageDocuments } from '../../../src/server/http/pages/page-document.ts';
import { appleCertificates, googleAccount, PASS_TYPE } from '../../support/fixtures/wallets.ts';

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
  it('is not needed for the demo', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      DATA_DIR: './data',
      PUBLIC_URL: 'http://localhost:3000',
    });
  });

  test.each([
    ['SMTP_URL', 'smtps://user:pa#ss@mail.example'],
    ['SMTP_URL', 'smtps://user:50#2@mail.example'],
    ['SMTP_URL', 'smtps://user:1/2@mail.example'],
    ['SMTP_URL', 'smtps://user:1?2@mail.example'],
    ['SMTP_URL', 'smtps://user:pa/ss@mail.example'],
    ['SMTP_URL', '"smtps://user:pass@mail.example"'],
    ['DATABASE_URL', 'postgres://user:50#2@db.example/wine'],
    ['REPLICA_URL', 'postgres://user:pa?ss@db.example/wine'],
  ])('%s=%s is refused with how a password is written, and without it', (name, value) => {
    const words = problem({ [name]: value });
    expect(words).toContain(`${name} must be a URL such as`);
    expect(words).toContain('write # as %23');
    expect(words).not.toContain('.example');
  });

  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://localhost/wine'],
    ['PUBLIC_URL', 'wine.example'],
    ['AUTH_SECRET', 'too-short'],
    ['STRIPE_SECRET_KEY', 'pk_test_123'],
    ['STRIPE_WEBHOOK_SECRET', 'we_123'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1,sk_live_2'],
    ['VENUE_TIME_ZONE', 'Europe/Atlantis'],
    ['SUPPORT_EMAIL', 'nobody'],
    ['SMTP_URL', 'http://mail.example'],
    ['TRUST_PROXY', 'perhaps'],
    ['LOG_LEVEL', 'loud'],
    ['CAPTCHA_PROVIDER', 'riddle'],
    ['VERIFY_EMAIL', 'perhaps'],
    ['MINIMUM_AGE', 'grown-up'],
    ['MINIMUM_AGE', '-1'],
    ['TERMS_URL', 'our-terms'],
    ['RENEWAL_REMINDER_DAYS', '28'],
    ['ANNUAL_NOTICE', 'perhaps'],
    ['PAUSE_MONTHS', '4'],
    ['STAFF_REQUIRE_TWO_FACTOR', 'perhaps'],
    ['SECURITY_CONTACT', 'http://plain.example'],
    ['SECURITY_CONTACT_EXPIRES', 'next year'],
  ])('the message for a wrong %s names the variable, not its value', (name, value) => {
    const message = problem({ [name]: value });
    expect(message).toContain(name);
    expect(message).not.toContain(value);
  });

  it('production requires two-step sign-in of staff unless configured otherwise; the demo does not', () => {
    expect(readEnv({}).STAFF_REQUIRE_TWO_FACTOR).toBe(false);
    expect(readEnv(production).STAFF_REQUIRE_TWO_FACTOR).toBe(true);
    expect(readEnv({ ...production, STAFF_REQUIRE_TWO_FACTOR: 'false' }).STAFF_REQUIRE_TWO_FACTOR).toBe(
      false,
    );
  });

  it('a security contact needs its expiry date, and the other way round', () => {
    const halves = { SECURITY_CONTACT: 'a@b.example', SECURITY_CONTACT_EXPIRES: '2027-01-01' };
    for (const [name, value] of Object.entries(halves)) {
      expect(problem({ [name]: value })).toContain(
        'SECURITY_CONTACT and SECURITY_CONTACT_EXPIRES go together',
      );
    }
  });

  it('the message names every wrong variable', () => {
    expect(problem({ PORT: 'x', LOG_LEVEL: 'x' })).toMatch(/PORT[\s\S]*LOG_LEVEL/);
  });

  it('wallet passes need all their variables or none, and a matching certificate', async () => {
    expect(readEnv({}).wallets).toEqual({ apple: null, google: null });
    const { variables: apple } = await appleCertificates();
    const { variables: google } = await googleAccount();
    const both = readEnv({ ...apple, ...google }).wallets;
    expect(both.apple).toMatchObject({ passTypeId: PASS_TYPE, pushUrl: 'https://api.push.apple.com' });
    expect(both.google).toMatchObject({ apiUrl: 'https://walletobjects.googleapis.com' });
    for (const name of Object.keys(apple))
      expect(problem({ ...apple, [name]: '' })).toContain('all five or none');
    for (const name of Object.keys(google))
      expect(problem({ ...google, [name]: '' })).toContain('both or none');
    const others = await appleCertificates('pass.test.other');
    const wrong = (name: keyof typeof apple) => problem({ ...apple, [name]: others.variables[name] });
    expect(wrong('APPLE_PASS_KEY')).toContain('APPLE_PASS_KEY is not the key of');
    expect(wrong('APPLE_WWDR_CERTIFICATE')).toContain('did not issue');
    expect(wrong('APPLE_PASS_TYPE_ID')).toContain('another pass type');
    for (const team of ['ABCDE12346', 'FGHIJ12345'])
      expect(problem({ ...apple, APPLE_TEAM_ID: team })).toContain('another team');
    expect(problem({ ...apple, APPLE_PASS_KEY: 'x' })).toContain('no RSA key in PEM');
    expect(problem({ ...google, GOOGLE_WALLET_SERVICE_ACCOUNT: '{}' })).toContain('JSON key');
    expect(() => readEnv({ ...production, ...apple, APPLE_PUSH_URL: 'https://push.test' })).toThrow(
      'for tests',
    );
  });

  it('a captcha needs all its variables or none', () => {
    const keys = { CAPTCHA_SITE_KEY: 'public', CAPTCHA_SECRET_KEY: 'hidden' };
    expect(readEnv({}).captcha).toBeNull();
    expect(readEnv({ ...keys, CAPTCHA_PROVIDER: 'turnstile' }).captcha).toMatchObject({ siteKey: 'public' });
    for (const half of [keys, { CAPTCHA_PROVIDER: 'turnstile' }]) {
      expect(problem(half)).toContain('CAPTCHA_SECRET_KEY');
    }
  });

  it('OIDC_PROVIDERS lists the identity providers, and each needs all its variables', () => {
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

  it('an empty value counts as missing', () => {
    expect(readEnv({ PORT: '', STRIPE_SECRET_KEY: '' })).toMatchObject({ PORT: 3000 });
  });

  const club = { NODE_ENV: 'production' };

  test.each<[what: string, source: Record<string, string>]>([
    ['nothing on localhost', {}],
    ['nothing more behind a name', { PUBLIC_URL: 'https://wine.example' }],
    ['nothing more behind a proxy', { PUBLIC_URL: 'https://wine.example', TRUST_PROXY: 'true' }],
    ['nothing on this computer’s address', { HOST: '127.0.0.1' }],
    ['no webhook secret with a key', { STRIPE_SECRET_KEY: 'sk_live_x' }],
    [
      'nothing for what a copy of .env.example leaves',
      { STRIPE_AUTOMATIC_TAX: 'false', STRIPE_PAYMENT_METHODS: 'card' },
    ],
  ])('a club needs %s', (_, source) => {
    expect(problem({ ...club, ...source })).toBe('accepted');
  });

  test.each<[source: Record<string, string>, message: string]>([
    [{ HOST: '0.0.0.0' }, 'PUBLIC_URL is required when HOST lets others in'],
    [{ TRUST_PROXY: 'true' }, 'PUBLIC_URL is required behind a proxy'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_x' }, 'STRIPE_WEBHOOK_SECRET is set without STRIPE_SECRET_KEY'],
    [{ STRIPE_AUTOMATIC_TAX: 'true' }, 'STRIPE_AUTOMATIC_TAX is set without STRIPE_SECRET_KEY'],
    [{ STRIPE_PAYMENT_METHODS: 'automatic' }, 'STRIPE_PAYMENT_METHODS is set without STRIPE_SECRET_KEY'],
    [{ STRIPE_SECRETKEY: 'sk_live_x' }, 'STRIPE_SECRETKEY is set without STRIPE_SECRET_KEY'],
  ])('a club with %j is refused in words', (source, message) => {
    expect(problem({ ...club, ...source })).toContain(message);
    expect(problem({ ...club, ...source })).not.toContain('sk_live_x');
  });

  it('payments are on with a key and off without', () => {
    const on = readEnv(production);
    const off = readEnv({ ...club, PUBLIC_URL: 'https://wine.example' });
    expect([stripeSettings(on)?.secretKey, siteOf(on, {}).payments]).toEqual(['sk_live_x', 'on']);
    expect([stripeSettings(off), siteOf(off, {}).payments]).toEqual([null, 'off']);
    expect(siteOf(readEnv({}), { demo: true }).payments).toBe('on');
  });

  it('a club makes its own secret', () => {
    const { AUTH_SECRET: _secret, ...without } = production;
    expect(problem(without)).toBe('accepted');
  });

  it('two signing secrets are accepted while one replaces the other', () => {
    expect(problem({ STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' })).toBe('accepted');
  });

  it('production starts without a webhook endpoint, whose secret the set-up stores later', () => {
    const { STRIPE_WEBHOOK_SECRET: _secret, ...before } = production;
    expect(problem(before)).toBe('accepted');
    expect(stripeSettings(readEnv(before))?.webhookSecrets).toEqual([]);
  });

  it('production cannot require verified emails without SMTP', () => {
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

describe('production sends nothing unencrypted', () => {
  const real = (more: Record<string, string>) => problem({ ...production, ...more });

  it.each(['https://wine.example/club', 'https://wine.example/?a=1', 'https://wine.example/#top'])(
    'PUBLIC_URL ends after the host: %s is refused',
    (url) =>
      expect(real({ PUBLIC_URL: url })).toContain(
        'PUBLIC_URL must end after the host, such as https://wine.example',
      ),
  );

  it.each(['+05:00', '-03', '+0530', 'CET', 'met', 'PST', 'AET'])(
    'VENUE_TIME_ZONE is a named zone, and not %s',
    (zone) => expect(real({ VENUE_TIME_ZONE: zone })).toContain('VENUE_TIME_ZONE is not an IANA time zone'),
  );

  it('PUBLIC_URL must be https or localhost', () => {
    expect(real({ PUBLIC_URL: 'http://wine.example' })).toContain('PUBLIC_URL must begin with https://');
    expect(real({ PUBLIC_URL: 'http://wine.example', ALLOW_PLAIN_CONNECTIONS: 'true' })).toContain(
      'PUBLIC_URL',
    );
    expect(real({ PUBLIC_URL: 'http://localhost.wine.example' })).toContain('PUBLIC_URL');
    expect(real({ PUBLIC_URL: 'http://localhost:3000' })).toBe('accepted');
    expect(problem({ PUBLIC_URL: 'http://wine.example' })).toBe('accepted');
  });

  test.each([
    ['DATABASE_URL', 'postgres://u:hidden@db.example/wine'],
    ['DATABASE_URL', 'postgres://u:hidden@db.example/wine?sslmode=disable'],
    ['DATABASE_URL', 'postgres://u:hidden@db.example/wine?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://u:hidden@db.example/wine?uselibpqcompat=true&sslmode=require'],
    ['DATABASE_URL', 'postgres://u:hidden@127.0.0.1/wine?host=db.example'],
    ['DATABASE_URL', 'postgres://u:hidden@db.example/wine?sslmode=verify-full&sslrootcert=/no/such/hidden'],
    ['SUMMARY_BASE_URL', 'http://hidden.example/v1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://hidden.example:4318'],
    ['SMTP_URL', 'smtps://u:hidden@mail.example?tls.rejectUnauthorized=false'],
  ])('%s is refused: %s', (name, value) => {
    const message = real({ [name]: value });
    expect(message).toMatch(new RegExp(`${name} must .*ALLOW_PLAIN_CONNECTIONS=true`));
    expect(message).not.toContain('hidden');
    expect(real({ [name]: value, ALLOW_PLAIN_CONNECTIONS: 'true' })).toBe('accepted');
    expect(problem({ [name]: value })).toBe('accepted');
  });

  test.each([
    ['DATABASE_URL', 'postgres://u:p@db.example/wine?sslmode=verify-full'],
    ['DATABASE_URL', 'postgres://u:p@localhost/wine'],
    ['DATABASE_URL', 'postgres://u:p@127.0.0.1:5433/wine'],
    ['DATABASE_URL', 'postgres://u:p@[::1]/wine'],
    ['DATABASE_URL', 'postgres:///wine?host=/run/postgresql'],
    ['SUMMARY_BASE_URL', 'https://model.example/v1'],
    ['SUMMARY_BASE_URL', 'http://127.0.0.1:11434/v1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318'],
    ['SMTP_URL', 'smtps://u:p@mail.example'],
  ])('%s is accepted: %s', (name, value) => {
    expect(real({ [name]: value })).toBe('accepted');
  });

  it('SMTP to another host requires STARTTLS, whatever the URL says', () => {
    const smtpUrl = (SMTP_URL: string, more = {}) => readEnv({ ...production, SMTP_URL, ...more }).SMTP_URL;
    expect(smtpUrl('smtp://u:p%40ss@mail.example:587')).toBe(
      'smtp://u:p%40ss@mail.example:587?requireTLS=true',
    );
    expect(smtpUrl('smtp://mail.example?requireTLS=false')).toBe('smtp://mail.example?requireTLS=true');
    expect(smtpUrl('smtp://localhost:25')).toBe('smtp://localhost:25');
    expect(smtpUrl('smtp://mail', { ALLOW_PLAIN_CONNECTIONS: 'true' })).toBe('smtp://mail');
    expect(readEnv({ SMTP_URL: 'smtp://mail.example' }).SMTP_URL).toBe('smtp://mail.example');
  });
});

describe('the page with the site settings and the user', () => {
  it('escapes a name that contains markup', () => {
    const html = '<head><title>__CLUB_NAME__</title><script type="application/json">__SITE__</script></head>';
    const site: Site = {
      club_name: '</script><b>$& "Wine"',
      support_email: 'a@example.test',
      currency: 'usd',
      time_zone: 'UTC',
      tax_behavior: 'unspecified',
      demo: false,
      payments: 'on',
      start_over: false,
      sandbox_url: null,
      verify_email: 'nudge',
      minimum_age: 21,
      terms_url: null,
      club_page: true,
      legal: { terms: '', privacy: '', imprint: '', accessibility: '' },
      accent: null,
      places: [],
      captcha: null,
      build: '',
      providers: [],
      wallets: [],
    };
    const user = {
      id: '1',
      email: 'a@example.test',
      first_name: '</script><b>',
      last_name: '$&',
      phone: null,
    };
    const flags = { role: 'customer', email_verified: true, two_factor: false, must_enrol: false } as const;
    const page = pageDocuments(
      html,
      site,
      {},
      () => null,
      null,
    )('/dashboard', {
      body: { user: { ...user, ...flags } },
      cookies: [],
      signedIn: null,
      own: null,
    });
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page).not.toContain('<b>');
    const [said, facts] = [...page.matchAll(/json"[^>]*>(.*?)<\/script>/g)].map(([, json]) =>
      JSON.parse(json ?? ''),
    );
    expect(said).toMatchObject({ club_name: '</script><b>$& "Wine"' });
    expect(facts).toMatchObject({ user });
  });
});
