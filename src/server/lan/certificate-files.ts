import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../config/config-error.ts';
import { ensurePrivateDir } from '../config/data-dir.ts';
import { issueCertificate, type KeyAndCertificate, makeAuthority, needsRenewal } from './authority.ts';

const OWNER_ONLY = 0o600;

/**
 * Opens the authority and the server's certificate in `folder`, and makes missing ones. Each is one file with its key,
 * readable only by the owner. An authority is never replaced automatically, because every device would have to trust the
 * new one. Throws ConfigurationError if it is damaged or has expired.
 */
export async function openCertificates(
  folder: string,
  { name, hosts, now }: { name: string; hosts: string[]; now: Date },
) {
  ensurePrivateDir(folder);
  const authorityFile = join(folder, 'authority.pem');
  const serverFile = join(folder, 'server.pem');
  if (!existsSync(authorityFile)) write(authorityFile, await makeAuthority({ name, now }));
  const authority = read(authorityFile);
  if (!authority) throw unusable(authorityFile, 'is damaged');

  let current = existsSync(serverFile) ? read(serverFile) : null;
  /** Makes a new certificate if one is needed (see needsRenewal), and returns whether it did. */
  const renew = async (input: { hosts: string[]; now: Date }): Promise<boolean> => {
    if (new X509Certificate(authority.certificate).validToDate < input.now) {
      throw unusable(authorityFile, 'has expired, if the clock of this computer is right');
    }
    if (current && !needsRenewal(current, { ...input, authority: authority.certificate })) return false;
    current = await issueCertificate(authority, input);
    write(serverFile, current);
    return true;
  };
  await renew({ hosts, now });
  return {
    /** The certificate for devices to trust, in PEM. */
    authority: authority.certificate,
    served: () => current as KeyAndCertificate,
    renew,
  };
}

const unusable = (file: string, problem: string) =>
  new ConfigurationError([
    `${file} ${problem}. Restore it from a backup, or delete it: then every device has to trust a new authority`,
  ]);

function write(file: string, { key, certificate }: KeyAndCertificate): void {
  writeFileSync(`${file}.new`, key + certificate, { mode: OWNER_ONLY });
  renameSync(`${file}.new`, file);
}

/** Reads a file; null if it does not hold a certificate with its own key. */
function read(file: string): KeyAndCertificate | null {
  // A copied file can have lost its mode.
  chmodSync(file, OWNER_ONLY);
  const text = readFileSync(file, 'utf8');
  const block = (label: string) =>
    new RegExp(`-----BEGIN ${label}-----[\\s\\S]+?-----END ${label}-----\n?`).exec(text)?.[0] ?? '';
  const [key, certificate] = [block('PRIVATE KEY'), block('CERTIFICATE')];
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
      ? { key, certificate }
      : null;
  } catch {
    return null;
  }
}
