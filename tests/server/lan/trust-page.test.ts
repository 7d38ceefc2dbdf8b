import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAuthority } from '../../../src/server/lan/authority.ts';
import { openTrustServer, type TrustServer } from '../../../src/server/lan/trust-server.ts';

let authority: string;
let server: TrustServer;
let url: string;
beforeAll(async () => {
  ({ certificate: authority } = await makeAuthority({ name: 'Test', now: new Date() }));
  server = await openTrustServer({ port: 0, host: '127.0.0.1' }, authority, {
    clubName: 'Bär <b>&',
    url: 'https://bar.local:3000',
    trustUrl: 'http://192.168.1.20:3002',
  });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

it('the page says what to do, names the club as text, and shows the fingerprint to compare', async () => {
  const page = await fetch(`${url}/`);
  const text = await page.text();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(text).toContain('Open Bär &#60;b&#62;&#38; on this device');
  expect(text).not.toContain('<b>');
  expect(text).toContain('Certificate Trust Settings');
  expect(text).toContain('href="https://bar.local:3000"');
  expect(text).toContain(new X509Certificate(authority).fingerprint256.replaceAll(':', ' '));
});

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'iPhone and iPad'],
  ['Mozilla/5.0 (Linux; Android 15)', 'Android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Windows'],
])('%s has its own steps open, and no others', async (agent, title) => {
  const text = await (await fetch(`${url}/`, { headers: { 'user-agent': agent } })).text();
  expect([...text.matchAll(/<details open><summary>([^<]+)/g)].map(([, it]) => it)).toEqual([title]);
});

it('the certificate is served with the type that phones offer to install, and never with its key', async () => {
  const response = await fetch(`${url}/cellar-door-authority.crt`);
  expect(response.headers.get('content-type')).toBe('application/x-x509-ca-cert');
  expect(response.headers.get('content-disposition')).toBeNull();
  expect(Buffer.from(await response.arrayBuffer())).toEqual(new X509Certificate(authority).raw);
});

it('only the page and the certificate are there, nothing can be sent, and no script runs', async () => {
  for (const path of ['/authority.pem', '/..%2fauthority.pem', '/lan/authority.pem', '//', '/login']) {
    expect((await fetch(url + path)).status, path).toBe(404);
  }
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405);
  const policy = (await fetch(url)).headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none';/);
});
