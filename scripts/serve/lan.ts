import { lookup } from 'node:dns/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { renderUnicodeCompact } from 'uqr';
import { ConfigurationError } from '../../src/server/config/config-error.ts';
import { ensurePrivateDir } from '../../src/server/config/data-dir.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { openCertificates } from '../../src/server/lan/certificate-files.ts';
import {
  chooseLanHost,
  type LanHost,
  mdnsName,
  reachableAddresses,
} from '../../src/server/lan/local-names.ts';
import { fingerprintOf, openTrustServer } from '../../src/server/lan/trust-server.ts';
import { startScheduler } from '../../src/server/platform/scheduler.ts';
import { startInstallation } from './composition.ts';
import { type Installation, isDemo, type StartOptions } from './installation.ts';

const RENEW_EVERY_MS = 600_000;
const LOOKUP_MS = 3_000;

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((it) => it?.map(({ address }) => address) ?? []);

/** Whether this computer's name resolves to its own address, so something announces the name. */
async function announces(name: string): Promise<boolean> {
  const timeout = new Promise<never[]>((resolve) => setTimeout(resolve, LOOKUP_MS, []).unref());
  const entries = await Promise.race([lookup(name, { all: true }).catch(() => []), timeout]);
  const addresses = ownAddresses();
  return entries.some(({ address }) => addresses.includes(address));
}

/**
 * Starts an installation over HTTPS for the network this computer is on, with a certificate of its own authority, which
 * it renews automatically, and a page that helps phones to trust it. Throws what startInstallation throws, and
 * ConfigurationError if there is no such network or PUBLIC_URL is not on one.
 */
export async function startOnLan(
  source: Record<string, string | undefined>,
  options: StartOptions,
): Promise<Installation> {
  const name = mdnsName(hostname());
  const addresses = reachableAddresses(ownAddresses());
  const settings = readEnv({ ...source, PUBLIC_URL: source.PUBLIC_URL || 'https://localhost' });
  if (settings.TRUST_PROXY)
    throw new ConfigurationError(['TRUST_PROXY is for a proxy in front; --lan has none']);
  const host = chooseLanHost({
    publicUrl: source.PUBLIC_URL || null,
    port: settings.PORT,
    name: source.PUBLIC_URL || !(await announces(name)) ? null : name,
    addresses,
  });
  const env = { ...source, PUBLIC_URL: host.url, HOST: source.HOST || '0.0.0.0' };
  const lanSettings = readEnv(env);
  const { DATA_DIR, CLUB_NAME, HOST, LAN_TRUST_PORT } = lanSettings;

  ensurePrivateDir(DATA_DIR);
  const wanted = () => ({
    hosts: [host.host, 'localhost', '127.0.0.1', ...reachableAddresses(ownAddresses())],
    // The real clock: the demo's can be months ahead.
    now: new Date(),
  });
  const certificates = await openCertificates(join(DATA_DIR, 'lan'), {
    name: `${CLUB_NAME} on ${hostname()}`,
    ...wanted(),
  });
  // The sandbox calls the server over HTTPS too; nothing else of a demo is reachable from outside.
  if (isDemo(options.kind, lanSettings))
    setDefaultCACertificates([...getCACertificates('default'), certificates.authority]);

  const trustPort = LAN_TRUST_PORT ?? settings.PORT + 2;
  // Uses an IP address: browsers would open a host name with HSTS over HTTPS.
  const trustUrl = `http://${addresses[0] ?? new URL(host.url).hostname}:${trustPort}`;
  const trust = await openTrustServer({ port: trustPort, host: HOST }, certificates.authority, {
    clubName: CLUB_NAME,
    url: host.url,
    trustUrl,
  });
  try {
    const installation = await startInstallation(env, { ...options, tls: certificates.served() });
    const { log, taskRuns } = installation.server.services;
    const renew = async () => {
      if (await certificates.renew(wanted())) installation.setTls(certificates.served());
      if (host.isIp && !ownAddresses().includes(host.host)) {
        log.warn({ url: host.url }, 'the IP of this computer has changed: restart to use the new one');
      }
    };
    const renewal = startScheduler(
      [{ name: 'certificate renewal', everyMs: RENEW_EVERY_MS, run: renew }],
      log,
      taskRuns,
    );
    return {
      ...installation,
      lan: { welcome: welcome(host, trustUrl, fingerprintOf(certificates.authority)) },
      close: async () => {
        renewal.close();
        await trust.close();
        await installation.close();
      },
    };
  } catch (error) {
    await trust.close();
    throw error;
  }
}

function welcome({ isIp }: LanHost, trustUrl: string, fingerprint: string): string[] {
  const lines = [
    'Anyone on this network can open it. Phones and tablets start here, once each:',
    '',
    trustUrl,
    ...renderUnicodeCompact(trustUrl, { border: 2 }).split('\n'),
    'Compare this fingerprint with the one that the device shows (SHA-256):',
    fingerprint.slice(0, 47),
    fingerprint.slice(48),
  ];
  if (isIp) {
    lines.push(
      '',
      'This computer has no name on the network, so its IP is used: passkeys need a name, and the IP may change.',
      `docs/run/install.md, "On the venue's own network" says how to give it one.`,
    );
  }
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}
