import { type Site, WALLET_PLATFORMS } from '../../contract/site.ts';
import { DEFAULT_PLACES } from '../../domain/club/places.ts';
import { legalLinks, PUBLIC_PAGE_PRESETS } from '../../domain/club/public-pages.ts';
import type { Env } from './env.ts';
import { readOtlpHeaders } from './monitoring-config.ts';
import { readPricing } from './pricing-config.ts';
import { ownVersion } from './version.ts';

/** The environment as settings, without the secrets that a demo generates. */
export const settingsOf = (env: Env) => ({
  /** Without a trailing slash. */
  publicUrl: env.PUBLIC_URL,
  clubName: env.CLUB_NAME,
  supportEmail: env.SUPPORT_EMAIL,
  minimumAge: env.MINIMUM_AGE,
  termsUrl: env.TERMS_URL ?? null,
  reminders: { renewalDays: env.RENEWAL_REMINDER_DAYS, annual: env.ANNUAL_NOTICE },
  pauseMonths: env.PAUSE_MONTHS,
  timeZone: env.VENUE_TIME_ZONE,
  pricing: readPricing(env),
  /** With null, emails stay in the database and are not sent. */
  smtpUrl: env.SMTP_URL ?? null,
  /** 'Name <email>'; null for the club's name and `supportEmail`. */
  mailFrom: env.MAIL_FROM ?? null,
  summary: env.SUMMARY_BASE_URL
    ? { baseUrl: env.SUMMARY_BASE_URL, apiKey: env.SUMMARY_API_KEY, model: env.SUMMARY_MODEL }
    : null,
  captcha: env.captcha,
  securityContact: env.securityContact,
  providers: env.providers,
  walletConfig: env.wallets,
  verifyEmail: env.VERIFY_EMAIL,
  /** Staff without a second factor can only set one up. */
  staffNeedTwoFactor: env.STAFF_REQUIRE_TWO_FACTOR,
  /** Trust X-Forwarded-For: only behind a proxy that sets it itself. */
  trustProxy: env.TRUST_PROXY,
  webhookPrivateNetworks: env.WEBHOOK_PRIVATE_NETWORKS,
  version: ownVersion(),
  heartbeatUrl: env.HEARTBEAT_URL ?? null,
  dataDir: env.DATA_DIR,
  /** False only in tests that are not about limits. */
  limitAttempts: true,
});
export type EnvSettings = ReturnType<typeof settingsOf>;

/** The Stripe settings; null, with payments off, without a key. The webhook secrets may be empty: the set-up stores one. */
export function stripeSettings(env: Env) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl, STRIPE_WEBHOOK_SECRET } = env;
  if (!secretKey) return null;
  const webhookSecrets = STRIPE_WEBHOOK_SECRET?.split(',').map((it) => it.trim()) ?? [];
  return { secretKey, apiUrl, webhookSecrets };
}

/** Backups contain the generated secrets unless AUTH_SECRET is set. */
export const backupSettings = (env: Env) => ({
  dataDir: env.DATA_DIR,
  folder: env.BACKUP_DIR,
  copyFolder: env.BACKUP_COPY_DIR ?? null,
  hour: env.BACKUP_HOUR,
  keepDays: env.BACKUP_KEEP_DAYS,
  withSecrets: !env.AUTH_SECRET,
});

/** Every folder that may hold the club's backups. */
export const backupFolders = ({
  BACKUP_DIR,
  BACKUP_COPY_DIR,
}: Pick<Env, 'BACKUP_DIR' | 'BACKUP_COPY_DIR'>) => [
  BACKUP_DIR,
  ...(BACKUP_COPY_DIR ? [BACKUP_COPY_DIR] : []),
];

/** The settings of the collector for traces; null if there is none. */
export const tracingSettings = (env: Env) =>
  env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? {
        /** The URL of an OTLP collector over HTTP, without /v1/traces. */
        endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: readOtlpHeaders(env.OTEL_EXPORTER_OTLP_HEADERS),
        serviceName: env.OTEL_SERVICE_NAME,
        version: ownVersion(),
        /** The share of traces to record, 0 to 1. */
        share: env.OTEL_TRACES_SAMPLER_ARG,
      }
    : null;

/** This installation's data for index.html. */
export function siteOf(
  env: Env,
  {
    demo = false,
    sandboxUrl = null,
    startOver,
  }: { demo?: boolean; sandboxUrl?: string | null; startOver?: unknown },
  build = '',
): Site {
  const { currency, taxBehavior } = readPricing(env);
  const terms_url = env.TERMS_URL ?? null;
  return {
    build,
    club_name: env.CLUB_NAME,
    support_email: env.SUPPORT_EMAIL,
    currency,
    time_zone: env.VENUE_TIME_ZONE,
    tax_behavior: taxBehavior,
    demo,
    start_over: startOver !== undefined,
    sandbox_url: sandboxUrl,
    verify_email: env.VERIFY_EMAIL,
    minimum_age: env.MINIMUM_AGE,
    terms_url,
    payments: demo || env.STRIPE_SECRET_KEY ? 'on' : 'off',
    club_page: PUBLIC_PAGE_PRESETS.page_on,
    legal: legalLinks({ ...PUBLIC_PAGE_PRESETS, terms_url }),
    accent: null,
    places: DEFAULT_PLACES.map(({ id, name }) => ({ id, name })),
    captcha: env.captcha && { provider: env.captcha.provider, site_key: env.captcha.siteKey },
    providers: env.providers.map(({ id, label }) => ({ id, label })),
    wallets: WALLET_PLATFORMS.filter((platform) => env.wallets[platform] !== null),
  };
}
