import { readFileSync } from 'node:fs';
import { ConfigurationError } from './config-error.ts';

type Variables = Record<string, string | undefined>;

const SECRETS =
  /^(AUTH_SECRET|AUTH_SECRET_PREVIOUS|STRIPE_SECRET_KEY|STRIPE_WEBHOOK_SECRET|DATABASE_URL|SMTP_URL|HEARTBEAT_URL|SUMMARY_API_KEY|CAPTCHA_SECRET_KEY|APPLE_PASS_CERTIFICATE|APPLE_PASS_KEY|APPLE_WWDR_CERTIFICATE|GOOGLE_WALLET_SERVICE_ACCOUNT|OIDC_[A-Z0-9_]+_CLIENT_SECRET)$/;

/** Whether the variable holds a secret, so that NAME_FILE can name a file with it. */
export const isSecret = (name: string) => SECRETS.test(name);

/**
 * Resolves NAME_FILE variables from their files: a vault mounts secrets as files, and a process's environment is easier to
 * read. Throws ConfigurationError, which repeats no value.
 */
export function withSecretFiles(source: Variables): Variables {
  const values: Variables = {};
  const problems: string[] = [];
  for (const [variable, file] of Object.entries(source)) {
    const name = variable.replace(/_FILE$/, '');
    if (!file || name === variable || !isSecret(name)) continue;
    if (source[name]) {
      problems.push(`${name} and ${variable} are the same setting: set one of them`);
      continue;
    }
    try {
      values[name] = readFileSync(file, 'utf8').trim();
    } catch {
      problems.push(`${variable} names a file that cannot be read`);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.keys(values).length > 0 ? { ...source, ...values } : source;
}
