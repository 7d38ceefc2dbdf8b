import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  issueCertificate,
  type KeyAndCertificate,
  makeAuthority,
  needsRenewal,
} from '../../../src/server/lan/authority.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-22T12:00:00Z');
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const hosts = ['bar.local', 'localhost', '192.168.1.20', 'fd00::1'];

let authority: KeyAndCertificate;
let served: KeyAndCertificate;
beforeAll(async () => {
  authority = await makeAuthority({ name: `${'Cellar & Door, "the bar" '.repeat(4)}`, now: NOW });
  served = await issueCertificate(authority, { hosts, now: NOW });
});

const days = (pem: string) => {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return (validToDate.getTime() - validFromDate.getTime()) / DAY_MS;
};

describe('a certificate of the local authority', () => {
  it('covers each name and IP, and is signed by the authority', () => {
    const certificate = new X509Certificate(served.certificate);
    const issuer = new X509Certificate(authority.certificate);
    expect(certificate.subjectAltName).toBe(
      'DNS:bar.local, DNS:localhost, IP Address:192.168.1.20, IP Address:FD00:0:0:0:0:0:0:1',
    );
    expect([certificate.ca, issuer.ca]).toEqual([false, true]);
    expect(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)).toBe(true);
  });

  it('is one that phones accept: for servers, ECDSA with SHA-256, at most 825 days', () => {
    const certificate = new X509Certificate(served.certificate);
    // The purpose serverAuth.
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(days(served.certificate)).toBe(91);
    expect(days(authority.certificate)).toBe(3651);
  });

  it('never outlives the authority', async () => {
    const now = later(3600);
    const { certificate } = await issueCertificate(authority, { hosts, now });
    expect(new X509Certificate(certificate).validToDate).toEqual(
      new X509Certificate(authority.certificate).validToDate,
    );
  });

  it('is valid for devices whose clock is hours behind', () => {
    expect(new X509Certificate(served.certificate).validFromDate).toEqual(later(-1));
  });
});

describe('a new certificate is needed', () => {
  const check = (input: Partial<Parameters<typeof needsRenewal>[1]>) =>
    needsRenewal(served, { authority: authority.certificate, hosts, now: NOW, ...input });

  it('but not while the current one covers every host for 30 more days', () => {
    expect(check({})).toBe(false);
    expect(check({ now: later(59) })).toBe(false);
    expect(check({ hosts: ['bar.local'] })).toBe(false);
  });

  it('within 30 days of its end, and after it', () => {
    expect(check({ now: later(61) })).toBe(true);
    expect(check({ now: later(1000) })).toBe(true);
  });

  it('when the computer has a new name or IP', () => {
    expect(check({ hosts: [...hosts, '192.168.1.21'] })).toBe(true);
    expect(check({ hosts: ['club.local'] })).toBe(true);
  });

  it('when the clock was set back to before it', () => {
    expect(check({ now: later(-2) })).toBe(true);
  });

  it('when another authority signed it, even one of the same name', async () => {
    const other = await makeAuthority({ name: `${'Cellar & Door, "the bar" '.repeat(4)}`, now: NOW });
    expect(check({ authority: other.certificate })).toBe(true);
  });
});
