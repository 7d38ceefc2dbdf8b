import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Certificate } from '../../domain/monitoring/machine-checks.ts';

const TIMEOUT_MS = 10_000;
const LOOK_EVERY_MS = 24 * 3_600_000;
/** A certificate that could not be seen is looked for again after this. */
const RETRY_MS = 3_600_000;

export type CertificateWatch = NonNullable<ReturnType<typeof createCertificateWatch>>;

/** Watches the certificate at an https URL, which a proxy or another company may renew; null for other URLs. */
export function createCertificateWatch(publicUrl: string, { now }: { now(): Date }) {
  if (!publicUrl.startsWith('https:')) return null;
  let certificate: Certificate | null = null;
  let next = Number.NEGATIVE_INFINITY;
  return {
    current: () => certificate,
    /** Reads the certificate again if a day has passed, or an hour since it could not be seen. Never throws. */
    async check() {
      const at = now().getTime();
      if (at < next) return;
      next = at + LOOK_EVERY_MS;
      const answer = await readCertificate(publicUrl).catch(() => null);
      if (answer) certificate = answer;
      else next = at + RETRY_MS;
    },
  };
}

/** The certificate that browsers get at a URL. Throws the network's errors. */
export function readCertificate(publicUrl: string): Promise<Certificate> {
  const { hostname, port } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) === 0 && { servername: host }),
      // An ended certificate is read too, and nothing is sent.
      rejectUnauthorized: false,
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_from, valid_to } = socket.getPeerCertificate();
      socket.destroy();
      resolve({ starts_at: new Date(valid_from), ends_at: new Date(valid_to) });
    });
  });
}
