import { Client } from 'pg';

interface Addresses {
  PUBLIC_URL?: string;
  DATABASE_URL?: string;
  REPLICA_URL?: string;
  SMTP_URL?: string;
  SUMMARY_BASE_URL?: string;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  ALLOW_PLAIN_CONNECTIONS: boolean;
}

const OTHERWISE = ', or set ALLOW_PLAIN_CONNECTIONS=true if the network between them is private';

/** Whether a host is this machine; IPv6 brackets are allowed. */
export function isThisComputer(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Connections that others could read or change in transit. Each problem names its variable and the remedy, without
 * repeating values.
 */
export function insecureConnections(env: Addresses): string[] {
  const problems: string[] = [];
  const isOpen = (address: string | undefined) => {
    const url = address ? URL.parse(address) : null;
    return url?.protocol === 'http:' && !isThisComputer(url.hostname);
  };
  if (isOpen(env.PUBLIC_URL)) {
    problems.push('PUBLIC_URL must begin with https:// in production, unless it is localhost');
  }
  if (env.ALLOW_PLAIN_CONNECTIONS) return problems;
  if (isOpen(env.SUMMARY_BASE_URL)) {
    problems.push(`SUMMARY_BASE_URL must begin with https://${OTHERWISE}`);
  }
  if (isOpen(env.OTEL_EXPORTER_OTLP_ENDPOINT)) {
    problems.push(`OTEL_EXPORTER_OTLP_ENDPOINT must begin with https://${OTHERWISE}`);
  }
  for (const name of ['DATABASE_URL', 'REPLICA_URL'] as const) {
    const address = env[name];
    if (!address || databaseIsSafe(address)) continue;
    problems.push(
      `${name} must end with ?sslmode=verify-full (and &sslrootcert=FILE where the certificate comes from your own authority)${OTHERWISE}`,
    );
  }
  const mail = env.SMTP_URL ? URL.parse(env.SMTP_URL) : null;
  if (
    mail &&
    !isThisComputer(mail.hostname) &&
    ['false', '0'].includes(mail.searchParams.get('tls.rejectUnauthorized') ?? '')
  ) {
    problems.push(`SMTP_URL must not turn certificate checks off (tls.rejectUnauthorized)${OTHERWISE}`);
  }
  return problems;
}

/** Safe for the driver: verified TLS, this machine, or a local socket. */
function databaseIsSafe(url: string): boolean {
  try {
    const { host, ssl } = new Client({ connectionString: url }) as { host: string; ssl: unknown };
    if (host.startsWith('/') || isThisComputer(host)) return true;
    return Boolean(ssl) && (ssl as { rejectUnauthorized?: boolean }).rejectUnauthorized !== false;
  } catch {
    // The certificate file is missing.
    return false;
  }
}

/** The URL, requiring STARTTLS when the mail server is another machine. */
export function withStartTls(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  if (url.protocol === 'smtp:' && !isThisComputer(url.hostname)) url.searchParams.set('requireTLS', 'true');
  return url.href;
}
