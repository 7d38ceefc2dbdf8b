import { X509Certificate } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applied, pour, TEST_CARD } from '../../support/fixtures/members.ts';
import { freePort } from '../../support/harness/free-port.ts';
import { dataFolder, type StartedProcess, startProcess } from '../../support/harness/installation.ts';
import { fetchFrom, TlsCaller, type TlsDevice } from '../../support/harness/tls-caller.ts';

const PASSWORD = 'cellar-door-demo';

let folder: ReturnType<typeof dataFolder>;
let started: StartedProcess;
let url: string;
let trustUrl: string;
let pagesUrl: string;
let ports: { sandbox: number; pages: number };
let phone: TlsDevice;

beforeAll(async () => {
  folder = dataFolder();
  const [port, trust] = [await freePort(), await freePort()];
  const pages = trust + 1;
  ports = { sandbox: port + 1, pages };
  url = `https://club.local:${port}`;
  pagesUrl = `https://club.local:${pages}`;
  trustUrl = `http://127.0.0.1:${trust}`;
  started = await startProcess(
    {
      DATA_DIR: folder.path,
      PORT: String(port),
      PUBLIC_URL: url,
      LAN_TRUST_PORT: String(trust),
      LAN_SANDBOX_PORT: String(pages),
    },
    ['--lan'],
  );
  const certificate = await (await fetch(`${trustUrl}/cellar-door-authority.crt`)).arrayBuffer();
  phone = { ca: new X509Certificate(Buffer.from(certificate)).toString() };
});
afterAll(async () => {
  await started?.stop();
  folder.remove();
});

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolved) => {
    const socket = connect(port, host, () => resolved(true));
    socket.once('error', () => resolved(false));
    socket.once('close', () => resolved(false));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}

describe('npm start -- --lan', { timeout: 60_000 }, () => {
  it('prints where phones begin, and the fingerprint of the authority they are about to trust', () => {
    const { fingerprint256 } = new X509Certificate(phone.ca ?? '');
    expect(started.output()).toContain(`Cellar Door is open at ${url}`);
    expect(started.output().replace(/\s/g, '')).toContain(fingerprint256.replace(/(.{47}):/, '$1'));
    expect(started.output()).toContain(`:${new URL(trustUrl).port}`);
  });

  it('opens the page to a device that trusts the authority, with HSTS, and to no other', async () => {
    const page = await fetchFrom(phone, `${url}/login`);
    expect(page.status).toBe(200);
    expect(page.headers.get('strict-transport-security')).toContain('max-age');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    await expect(fetchFrom({ ca: undefined }, `${url}/login`)).rejects.toThrow(
      /self-signed certificate|unable to verify/,
    );
  });

  it('redirects a page opened by IP to the name, and refuses calls by IP', async () => {
    const { port } = new URL(url);
    const page = await fetchFrom(phone, `https://localhost:${port}/login?next=%2Fcard`);
    expect([page.status, page.headers.get('location')]).toEqual([302, `${url}/login?next=%2Fcard`]);
    expect((await fetchFrom(phone, `https://localhost:${port}//evil.example/`)).headers.get('location')).toBe(
      `${url}//evil.example/`,
    );
    const elsewhere = new TlsCaller(phone, `https://localhost:${port}`);
    const signIn = { email: 'member@demo.test', password: PASSWORD };
    expect(await elsewhere.call('POST', '/api/auth/sign-in', signIn)).toMatchObject({
      status: 403,
      body: { code: 'FOREIGN_ORIGIN' },
    });
  });

  it('signs in with a Secure cookie, and makes passkeys for the name of PUBLIC_URL', async () => {
    const member = new TlsCaller(phone, url);
    await member.must('POST', '/api/auth/sign-in', { email: 'member@demo.test', password: PASSWORD });
    expect([...member.jar.keys()].filter((name) => !/^__(Secure|Host)-/.test(name))).toEqual([]);
    const options = await member.must<{ rpId?: string }>('POST', '/api/auth/sign-in/passkey/options', {});
    expect(options.rpId).toBe('club.local');
  });

  it('takes a member from the phone through the payment page to a glass', async () => {
    const member = new TlsCaller(phone, url);
    await member.must('POST', '/api/auth/sign-up', {
      email: 'phone@venue.test',
      password: 'correct horse battery',
      first_name: 'Ada',
      last_name: 'Phone',
    });
    const applicationId = await applied(member);
    const { url: checkout } = await member.must<{ url: string }>('POST', '/api/functions/create-checkout', {
      tierName: 'select',
      applicationId,
    });
    expect(new URL(checkout).origin).toBe(pagesUrl);
    const paid = await fetchFrom(phone, checkout, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email: 'phone@venue.test', ...TEST_CARD }).toString(),
    });
    expect(paid.headers.get('location')).toMatch(new RegExp(`^${url}/payment-success`));

    // No verification call is needed: the sandbox's webhook, over HTTPS, reports the payment.
    const own = () =>
      member.call<{ customer: { id: string; pours_balance: number } }>('GET', '/api/customers/own');
    await expect.poll(async () => (await own()).status).toBe(200);
    const { customer } = (await own()).body;
    const staff = new TlsCaller(phone, url);
    await staff.must('POST', '/api/auth/sign-in', { email: 'staff@demo.test', password: PASSWORD });
    expect((await pour(staff, customer.id)).status).toBe(201);
    expect((await own()).body.customer.pours_balance).toBe(customer.pours_balance - 1);
  });

  it('shows the network only the sandbox pages that payers open', async () => {
    for (const path of [
      '/',
      '/mailbox',
      '/mailbox/api/messages',
      '/_sandbox/state',
      '/v1/customers',
      '/model/v1/chat/completions',
    ]) {
      expect((await fetchFrom(phone, pagesUrl + path)).status, path).toBe(404);
      expect((await fetchFrom(phone, `${pagesUrl}/c/pay/..%2f..${path}`)).status, path).toBe(404);
    }
    const clock = { method: 'POST', body: '{"advance":"1 month"}' };
    expect((await fetchFrom(phone, `${pagesUrl}/_sandbox/clock`, clock)).status).toBe(404);
    // Another address of this computer: a server listening on all addresses would respond there too.
    expect(await accepts('127.0.0.1', ports.sandbox)).toBe(true);
    expect(await accepts('127.0.0.2', ports.sandbox)).toBe(false);
    const page = await (await fetchFrom(phone, `${url}/login`)).text();
    expect(page).toContain('"sandbox_url":null');
  });
});

it('an unknown argument is refused', async () => {
  await expect(startProcess({ DATA_DIR: folder.path }, ['--lam'])).rejects.toThrow(
    /ended with 2:[\s\S]*--lan/,
  );
});
