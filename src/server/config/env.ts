import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isTimeZone } from '../../domain/calendar.ts';
import type { CaptchaConfig } from './captcha-config.ts';
import { ConfigurationError } from './config-error.ts';
import { otlpHeadersVariable } from './monitoring-config.ts';
import { networksVariable } from './networks.ts';
import { readOidcProviders } from './oidc-providers.ts';
import { currencyVariable, PAYMENT_METHODS } from './pricing-config.ts';
import { withSecretFiles } from './secret-files.ts';
import { readSecurityContact } from './security-contact.ts';
import { insecureConnections, isThisComputer, withStartTls } from './transport-security.ts';
import { readWallets } from './wallet-config.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const url = z.url({ protocol: /^https?$/, hostname: /.+/ });
/** Whether the credentials end before the host: with a sign such as # in a password, the user is read as the host. */
function isWhole(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return hash === '' && !pathname.includes('@') && !/^\?[^=]*@/.test(search);
}
/** The URL of a server that asks for a user and a password. */
const serverUrl = (protocol: RegExp, example: string) => {
  const error = `must be a URL such as ${example}; in user and password, write # as %23, / as %2F, ? as %3F, % as %25`;
  return z.url({ protocol, error, abort: true }).refine(isWhole, error);
};

/** off: never ask. nudge: ask, but nothing depends on it. required: ask before the first sign-in. */
const VERIFY_EMAIL_MODES = ['off', 'nudge', 'required'] as const;
export type VerifyEmailMode = (typeof VERIFY_EMAIL_MODES)[number];

const variables = z.object({
  NODE_ENV: z.enum(['development', 'production']).default('development'),
  PORT: port.default(3000),
  HOST: z.string().optional(),
  SANDBOX_PORT: port.optional(),
  LAN_TRUST_PORT: port.optional(),
  LAN_SANDBOX_PORT: port.optional(),
  SANDBOX_HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  WAIT_FOR_DISK: z.stringbool().optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_COPY_DIR: z.string().optional(),
  BACKUP_HOUR: z.coerce.number().int().min(0).max(23).default(5),
  BACKUP_KEEP_DAYS: z.coerce.number().int().min(0).max(3650).default(14),
  BACKUP_BEFORE_UPDATE: z.stringbool().default(true),
  DATABASE_URL: serverUrl(/^postgres(ql)?$/, 'postgres://user:password@host/database').optional(),
  REPLICA_URL: serverUrl(/^postgres(ql)?$/, 'postgres://user:password@host/database').optional(),
  REPLICA_MAX_LAG_SECONDS: z.coerce.number().int().min(2).max(3600).default(5),
  PUBLIC_URL: url.optional(),
  TRUST_PROXY: z.stringbool().default(false),
  ALLOW_PLAIN_CONNECTIONS: z.stringbool().default(false),
  CLUB_NAME: z.string().min(1).max(60).default('Cellar Door'),
  SUPPORT_EMAIL: z.email().default('hello@cellardoor.example'),
  MINIMUM_AGE: z.coerce.number().int().min(0).max(99).default(21),
  TERMS_URL: url.optional(),
  RENEWAL_REMINDER_DAYS: z.coerce.number().int().min(0).max(27).default(0),
  ANNUAL_NOTICE: z.stringbool().default(false),
  PAUSE_MONTHS: z.coerce.number().int().min(0).max(3).default(3),
  VENUE_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'is not an IANA time zone, such as Europe/Vienna')
    .default('UTC'),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  AUTH_SECRET_PREVIOUS: z.string().min(32, 'must have at least 32 characters').optional(),
  DEMO_SIZE: z.enum(['club', 'small']).default('club'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_/, 'is not a Stripe secret key')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^\s*whsec_[^\s,]+\s*(,\s*whsec_[^\s,]+\s*)*$/,
      'is not a signing secret (whsec_...), or several with commas',
    )
    .optional(),
  STRIPE_API_URL: url.optional(),
  CURRENCY: currencyVariable,
  STRIPE_AUTOMATIC_TAX: z.stringbool().default(false),
  PRICES_INCLUDE_TAX: z.stringbool().default(false),
  STRIPE_PAYMENT_METHODS: z.enum(PAYMENT_METHODS).default('card'),
  SMTP_URL: serverUrl(/^smtps?$/, 'smtps://user:password@host:465').optional(),
  MAIL_FROM: z.string().optional(),
  SUMMARY_BASE_URL: url.optional(),
  SUMMARY_API_KEY: z.string().optional(),
  SUMMARY_MODEL: z.string().default('gpt-5-mini'),
  VERIFY_EMAIL: z.enum(VERIFY_EMAIL_MODES).default('nudge'),
  STAFF_REQUIRE_TWO_FACTOR: z.stringbool().optional(),
  CAPTCHA_PROVIDER: z.enum(['turnstile', 'hcaptcha', 'recaptcha']).optional(),
  CAPTCHA_SITE_KEY: z.string().max(200).optional(),
  CAPTCHA_SECRET_KEY: z.string().max(200).optional(),
  CAPTCHA_VERIFY_URL: url.optional(),
  APPLE_PASS_TYPE_ID: z
    .string()
    .regex(/^pass\.[A-Za-z0-9.-]{1,100}$/, 'is not a pass type identifier, such as pass.example.club')
    .optional(),
  APPLE_TEAM_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'is not a team identifier of ten characters')
    .optional(),
  APPLE_PASS_CERTIFICATE: z.string().optional(),
  APPLE_PASS_KEY: z.string().optional(),
  APPLE_WWDR_CERTIFICATE: z.string().optional(),
  APPLE_PUSH_URL: url.optional(),
  GOOGLE_WALLET_ISSUER_ID: z
    .string()
    .regex(/^\d{6,30}$/, 'is not an issuer id')
    .optional(),
  GOOGLE_WALLET_SERVICE_ACCOUNT: z.string().optional(),
  GOOGLE_WALLET_API_URL: url.optional(),
  WEBHOOK_PRIVATE_NETWORKS: networksVariable,
  HEARTBEAT_URL: url
    .refine((it) => {
      const address = URL.parse(it);
      return address === null || address.protocol === 'https:' || isThisComputer(address.hostname);
    }, 'must begin with https://, unless it is this host')
    .optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeadersVariable,
  OTEL_SERVICE_NAME: z.string().max(100).default('cellar-door'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  UPDATE_URL: url.optional(),
  SECURITY_CONTACT: z
    .string()
    .max(300)
    .transform((it) => (z.email().safeParse(it).success ? `mailto:${it}` : it))
    .pipe(z.url({ protocol: /^(https|mailto)$/, error: 'must be an email or an https:// URL' }))
    .optional(),
  SECURITY_CONTACT_EXPIRES: z.iso.date('must be a day such as 2027-06-30').optional(),
  /** Default: info, or warn in the demo. */
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
});

/** The names of all variables but those of OpenID Connect providers. */
export const VARIABLES = Object.keys(variables.shape);

export type Env = ReturnType<typeof readEnv>;

/**
 * Reads the configuration once (every variable: .env.example). An empty value counts as absent.
 * Throws ConfigurationError, which names variables that are wrong and never repeats values.
 */
export function readEnv(variablesAndFiles: Record<string, string | undefined>) {
  const source = withoutBlanks(withSecretFiles(variablesAndFiles));
  const result = variables.safeParse(source);
  if (!result.success) {
    throw new ConfigurationError(
      result.error.issues.map(({ path, message }) => `${path.join('.')} ${describe(message)}`),
    );
  }
  const env = result.data;
  if (env.NODE_ENV === 'production') {
    const problems = [...addressMissing(env), ...(env.STRIPE_SECRET_KEY ? [] : keyMissing(source))];
    if (problems.length > 0) throw new ConfigurationError(problems);
    if (env.VERIFY_EMAIL === 'required' && !env.SMTP_URL) {
      throw new ConfigurationError([
        'SMTP_URL is needed when VERIFY_EMAIL is required, because the links go out by email',
      ]);
    }
    if (env.STRIPE_API_URL) {
      throw new ConfigurationError(['STRIPE_API_URL is for the demo; production talks to Stripe itself']);
    }
    if (env.CAPTCHA_VERIFY_URL) {
      throw new ConfigurationError(['CAPTCHA_VERIFY_URL is for tests; production asks the provider itself']);
    }
    if (env.APPLE_PUSH_URL || env.GOOGLE_WALLET_API_URL) {
      throw new ConfigurationError([
        'APPLE_PUSH_URL and GOOGLE_WALLET_API_URL are for tests; production talks to Apple and Google themselves',
      ]);
    }
    const connections = insecureConnections(env);
    if (connections.length > 0) throw new ConfigurationError(connections);
    if (env.SMTP_URL && !env.ALLOW_PLAIN_CONNECTIONS) env.SMTP_URL = withStartTls(env.SMTP_URL);
  }
  if (env.PUBLIC_URL && hasMore(env.PUBLIC_URL)) {
    throw new ConfigurationError([
      `PUBLIC_URL must end after the host, such as ${new URL(env.PUBLIC_URL).origin}: the club has that name to itself`,
    ]);
  }
  const PUBLIC_URL = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/(?<!\/)\/+$/, '');
  // The demo has published passwords, so it only listens on this machine unless HOST is set.
  const isLocal = new URL(PUBLIC_URL).hostname === 'localhost';
  const BACKUP_DIR = env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups');
  if (env.BACKUP_COPY_DIR && resolve(env.BACKUP_COPY_DIR) === resolve(BACKUP_DIR)) {
    throw new ConfigurationError(['BACKUP_COPY_DIR must be another folder than BACKUP_DIR, on another disk']);
  }
  const captcha = captchaOf(env);
  const { providers, problems } = readOidcProviders(source, env.NODE_ENV === 'production');
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    ...env,
    captcha,
    providers,
    PUBLIC_URL,
    HOST: env.HOST ?? (isLocal ? '127.0.0.1' : '0.0.0.0'),
    BACKUP_DIR,
    /** Whether BACKUP_DIR is set, rather than its default. */
    backupDirNamed: env.BACKUP_DIR !== undefined,
    STAFF_REQUIRE_TWO_FACTOR: env.STAFF_REQUIRE_TWO_FACTOR ?? env.NODE_ENV === 'production',
    securityContact: readSecurityContact(env),
    wallets: readWallets(env),
  };
}

/** Whether a URL has a path, or anything else after the host, on which nothing would answer. */
function hasMore(url: string): boolean {
  const { pathname, search, hash, username } = new URL(url);
  return !/^\/*$/.test(pathname) || `${search}${hash}${username}` !== '';
}

/** Without a URL for others to open, browsers would have their requests refused. */
function addressMissing({ PUBLIC_URL, HOST, TRUST_PROXY }: z.infer<typeof variables>): string[] {
  if (PUBLIC_URL || !(TRUST_PROXY || (HOST && !isThisComputer(HOST)))) return [];
  const reason = TRUST_PROXY ? 'behind a proxy (TRUST_PROXY)' : 'when HOST lets others in';
  return [`PUBLIC_URL is required ${reason}: the URL that browsers use, such as https://club.example`];
}

/** Payment settings without the key, which may be missing by mistake: payments would be off without a word. */
function keyMissing(source: Record<string, string | undefined>): string[] {
  return Object.entries(source)
    .filter(([name, value]) => name.startsWith('STRIPE_') && value && !/^(false|card)$/i.test(value))
    .map(
      ([name]) =>
        `${name} is set without STRIPE_SECRET_KEY: set that too, or remove ${name} to start with payments off`,
    );
}

function captchaOf(env: z.infer<typeof variables>): CaptchaConfig | null {
  const { CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET_KEY: secretKey } = env;
  if (!provider && !siteKey && !secretKey) return null;
  if (!provider || !siteKey || !secretKey) {
    throw new ConfigurationError([
      'CAPTCHA_PROVIDER, CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY go together: set all three or none',
    ]);
  }
  return { provider, siteKey, secretKey, verifyUrl: env.CAPTCHA_VERIFY_URL };
}

const withoutBlanks = (source: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));

function describe(message: string): string {
  return /^(is|must)\b/.test(message) ? message : `is wrong: ${message}`;
}
