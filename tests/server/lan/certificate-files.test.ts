import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCertificates } from '../../../src/server/lan/certificate-files.ts';
import { dataFolder } from '../../support/harness/installation.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const hosts = ['bar.local'];

let folder: ReturnType<typeof dataFolder>;
beforeEach(() => {
  folder = dataFolder();
});
afterEach(() => folder.remove());
const open = (now = NOW) => openCertificates(folder.path, { name: 'Test', hosts, now });
const file = (name: string) => join(folder.path, name);

describe('the local authority', () => {
  it('is made once, and its key is readable by its owner only', async () => {
    const first = await open();
    const second = await open();
    expect(second.authority).toBe(first.authority);
    expect(second.served()).toEqual(first.served());
    for (const name of ['authority.pem', 'server.pem']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
  });

  it('gets its file mode back if a copy has lost it', async () => {
    await open();
    chmodSync(file('authority.pem'), 0o644);
    await open();
    expect(statSync(file('authority.pem')).mode & 0o777).toBe(0o600);
  });

  it('is never replaced automatically: if damaged or expired, it stops the start and says what to do', async () => {
    await open();
    await expect(open(later(4000))).rejects.toThrow(/authority\.pem has expired.*delete it/);
    const whole = readFileSync(file('authority.pem'), 'utf8');
    writeFileSync(file('authority.pem'), whole.slice(0, 400));
    await expect(open()).rejects.toThrow(/authority\.pem is damaged.*delete it/);
    expect(readFileSync(file('authority.pem'), 'utf8')).toBe(whole.slice(0, 400));
  });
});

describe('the certificate of the server', () => {
  it('is renewed before it expires, and the new one is kept', async () => {
    const certificates = await open();
    const first = certificates.served();
    expect(await certificates.renew({ hosts, now: later(59) })).toBe(false);
    expect(await certificates.renew({ hosts, now: later(61) })).toBe(true);
    const second = certificates.served();
    expect(second.certificate).not.toBe(first.certificate);
    expect((await open(later(61))).served()).toEqual(second);
  });

  it('is made again when damaged, because no device has to trust it anew', async () => {
    const first = await open();
    writeFileSync(file('server.pem'), 'damaged');
    const second = await open();
    expect(second.authority).toBe(first.authority);
    expect(second.served().certificate).toContain('BEGIN CERTIFICATE');
  });
});
