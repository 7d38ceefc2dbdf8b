// The decorators of @peculiar/x509 need this polyfill first.
import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';
import { LOCAL_DOMAINS, LOCAL_NETWORKS } from './local-names.ts';

/** A certificate and its key, in PEM. */
export interface KeyAndCertificate {
  key: string;
  certificate: string;
}

const DAY_MS = 86_400_000;
/** How long devices can trust the authority. */
const AUTHORITY_DAYS = 3650;
/** Apple refuses more than 825 days from any authority; the server renews it by itself, so it can be short. */
const CERTIFICATE_DAYS = 90;
const RENEW_BEFORE_DAYS = 30;
/** Certificates are valid from this long before they are made, for devices whose clocks are behind. */
const BACKDATED_DAYS = 1;
const MAX_COMMON_NAME = 64;

// P-256 with SHA-256, supported by every browser and phone.
const KEYS = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

const daysAfter = (from: Date, days: number) => new Date(from.getTime() + days * DAY_MS);
const subjectOf = (name: string): x509.JsonName => [{ CN: [name.slice(0, MAX_COMMON_NAME)] }];

/**
 * Makes an authority whose certificates are valid only for names and addresses of a private network: a device that trusts
 * it cannot be misled about any site on the internet, even if the key leaks.
 */
export async function makeAuthority({ name, now }: { name: string; now: Date }): Promise<KeyAndCertificate> {
  const keys = await crypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: subjectOf(name),
    keys,
    signingAlgorithm: SIGNING,
    notBefore: daysAfter(now, -BACKDATED_DAYS),
    notAfter: daysAfter(now, AUTHORITY_DAYS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      nameConstraints(),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return inPem(keys.privateKey, certificate);
}

/** The extension that restricts an authority: RFC 5280, 4.2.1.10. Kinds of names without a constraint are unrestricted. */
function nameConstraints(): x509.Extension {
  const subtree = (base: Partial<GeneralName>) => new GeneralSubtree({ base: new GeneralName(base) });
  const constraints = new NameConstraints({
    permittedSubtrees: new GeneralSubtrees([
      ...LOCAL_DOMAINS.map((domain) => subtree({ dNSName: domain })),
      ...LOCAL_NETWORKS.map(({ network, prefix }) => subtree({ iPAddress: `${network}/${prefix}` })),
    ]),
  });
  return new x509.Extension(id_ce_nameConstraints, true, AsnConvert.serialize(constraints));
}

/** A server's certificate for `hosts` (names and IPs), with a new key, signed by the authority. */
export async function issueCertificate(
  authority: KeyAndCertificate,
  { hosts, now }: { hosts: string[]; now: Date },
): Promise<KeyAndCertificate> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const signingKey = await crypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.key),
    KEYS,
    false,
    ['sign'],
  );
  const keys = await crypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
  const end = daysAfter(now, CERTIFICATE_DAYS);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: subjectOf(hosts[0] ?? 'localhost'),
    issuer: issuer.subjectName.toJSON(),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: SIGNING,
    notBefore: daysAfter(now, -BACKDATED_DAYS),
    notAfter: end < issuer.notAfter ? end : issuer.notAfter,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) ? ('ip' as const) : ('dns' as const), value: host })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return inPem(keys.privateKey, certificate);
}

async function inPem(key: CryptoKey, certificate: x509.X509Certificate): Promise<KeyAndCertificate> {
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', key);
  return {
    key: `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`,
    certificate: `${certificate.toString('pem')}\n`,
  };
}

/**
 * Whether the server needs a new certificate: signed by another authority, missing a host, expiring in less than 30 days,
 * or not valid yet because the clock was set back.
 */
export function needsRenewal(
  { certificate }: Pick<KeyAndCertificate, 'certificate'>,
  { authority, hosts, now }: { authority: string; hosts: string[]; now: Date },
): boolean {
  const [leaf, issuer] = [new X509Certificate(certificate), new X509Certificate(authority)];
  const covers = (host: string) => Boolean(isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host));
  return (
    !leaf.checkIssued(issuer) ||
    !leaf.verify(issuer.publicKey) ||
    !hosts.every(covers) ||
    leaf.validFromDate > now ||
    leaf.validToDate < daysAfter(now, RENEW_BEFORE_DAYS)
  );
}
