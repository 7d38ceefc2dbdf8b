import { get, type RequestOptions } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, openListener, TIMEOUTS } from '../../../src/server/http/listener.ts';
import {
  issueCertificate,
  type KeyAndCertificate,
  makeAuthority,
} from '../../../src/server/lan/authority.ts';

let authority: KeyAndCertificate;
let listener: Listener;
const now = new Date();

beforeAll(async () => {
  authority = await makeAuthority({ name: 'Test', now });
  const tls = await issueCertificate(authority, { hosts: ['bar.local', '127.0.0.1'], now });
  listener = await openListener({ PORT: 0, HOST: '127.0.0.1' }, TIMEOUTS, tls);
  listener.open(async () => new Response('poured'));
});
afterAll(() => listener.close());

/** Connects to the listener under `servername`; resolves with the response, rejects with OpenSSL's code and message. */
function ask(servername: string, options: RequestOptions = {}): Promise<string> {
  return new Promise((resolved, failed) => {
    const request = get(
      {
        host: '127.0.0.1',
        port: listener.port,
        agent: false,
        ...(servername === '127.0.0.1' ? {} : { servername }),
        headers: { host: servername },
        ca: authority.certificate,
        ...options,
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolved(text);
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) =>
      failed(new Error(`${error.code}: ${error.message}`)),
    );
  });
}

describe('a device', () => {
  it('that trusts the authority connects, by name and by IP', async () => {
    expect(await ask('bar.local')).toBe('poured');
    expect(await ask('127.0.0.1')).toBe('poured');
  });

  it('that does not trust it finds the certificate unknown', async () => {
    await expect(ask('bar.local', { ca: undefined })).rejects.toThrow('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it('never accepts it for another host', async () => {
    await expect(ask('other.local')).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('refuses a certificate of the authority for a site on the internet, whoever made it', async () => {
    listener.setTls(await issueCertificate(authority, { hosts: ['bank.example'], now }));
    await expect(ask('bank.example')).rejects.toThrow('permitted subtree violation');
    listener.setTls(await issueCertificate(authority, { hosts: ['8.8.8.8', 'bar.local'], now }));
    await expect(ask('bar.local')).rejects.toThrow('permitted subtree violation');
  });

  it('gets a renewed certificate at its next connection', async () => {
    listener.setTls(await issueCertificate(authority, { hosts: ['moved.local'], now }));
    expect(await ask('moved.local')).toBe('poured');
    await expect(ask('bar.local')).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('is refused with a version of TLS before 1.2', async () => {
    // This security level is needed for the client to offer it at all.
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(ask('moved.local', old)).rejects.toThrow('alert protocol version');
  });
});
