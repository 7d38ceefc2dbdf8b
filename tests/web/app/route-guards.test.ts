import { isRedirect } from '@tanstack/react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startInScanner } from '../../../src/web/api/device-setting.ts';
import { forgetSession, type SessionUser, startSession } from '../../../src/web/api/session.ts';
import { signOut } from '../../../src/web/api/sign-out.ts';
import { requireRole, requireStaff, sendHomeWhenSignedIn } from '../../../src/web/app/route-guards.ts';
import { landingFor } from '../../../src/web/visitor/landing.ts';
import { readRedirect } from '../../../src/web/visitor/sign-in-search.ts';

const member: SessionUser = {
  id: '0197b1f0-0000-7000-8000-000000000001',
  email: 'ada@demo.test',
  first_name: 'Ada',
  last_name: 'Vine',
  phone: null,
  role: 'customer',
};
const staff: SessionUser = { ...member, role: 'staff' };

const answerSession = (user: SessionUser | null) =>
  vi.stubGlobal('fetch', async () => Response.json({ user }));

beforeEach(() => {
  forgetSession();
});

/** The options of the redirect that the guard throws. */
async function thrownBy(run: () => Promise<unknown>) {
  const thrown = await run().then(
    () => null,
    (error: unknown) => error,
  );
  if (!isRedirect(thrown)) throw new Error('no redirect');
  return thrown.options;
}

describe('where a user lands after signing in', () => {
  test.each([
    ['/qr-code', '/qr-code'],
    ['/payment-success?session_id=cs_1', '/payment-success?session_id=cs_1'],
    ['/pours#last', '/pours#last'],
  ])('a member page: %s', (requested, landing) => {
    expect(landingFor(member, requested)).toBe(landing);
  });

  test.each([
    undefined,
    '',
    'qr-code',
    '//evil.example/qr-code',
    '/\\evil.example/qr-code',
    '/\t/evil.example/qr-code',
    'https://evil.example/qr-code',
    'javascript:alert(1)',
    '/login',
    '/staff/dashboard',
    '/qr-code/../staff/search',
    '/unknown',
    '/api/session',
  ])('%s is not returned to: the user lands at home', (requested) => {
    expect(landingFor(member, requested)).toBe('/dashboard');
  });

  test('staff return to staff pages and to no member page', () => {
    expect(landingFor(staff, '/staff/customers/7?from=search')).toBe('/staff/customers/7?from=search');
    expect(landingFor(staff, '/qr-code')).toBe('/staff/dashboard');
  });

  test('staff land in the scanner on a device set to start there, unless they requested a page', () => {
    startInScanner.write(true);
    try {
      expect(landingFor(staff, undefined)).toBe('/staff/search');
      expect(landingFor(staff, '/staff/settings')).toBe('/staff/settings');
      expect(landingFor(member, undefined)).toBe('/dashboard');
    } finally {
      startInScanner.write(false);
    }
  });
});

describe('the guard of a layout', () => {
  test('no signed-in user: to /login, with the page to return to', async () => {
    answerSession(null);
    const options = await thrownBy(() => requireRole('customer')({ location: { href: '/pours?x=1' } }));
    expect(options).toMatchObject({ to: '/login', search: { redirect: '/pours?x=1' } });
  });

  test('a user of another role: to their own home', async () => {
    answerSession(staff);
    expect(await thrownBy(() => requireRole('customer')({ location: { href: '/pours' } }))).toMatchObject({
      href: '/staff/dashboard',
    });
    // The first page of the installed app, on the device at the bar.
    startInScanner.write(true);
    try {
      expect(await thrownBy(() => requireRole('customer')({ location: { href: '/qr-code' } }))).toMatchObject(
        {
          href: '/staff/search',
        },
      );
    } finally {
      startInScanner.write(false);
    }
    forgetSession();
    answerSession(member);
    expect(await thrownBy(() => requireRole('staff')({ location: { href: '/staff' } }))).toMatchObject({
      href: '/dashboard',
    });
  });

  test('a user without a role goes to /dashboard from everywhere else, and stays there', async () => {
    const nobody = { ...member, role: null };
    answerSession(nobody);
    const at = (pathname: string) => ({ location: { href: pathname, pathname } });
    await expect(requireRole('customer')(at('/dashboard'))).resolves.toEqual({ user: nobody });
    for (const [role, pathname] of [
      ['customer', '/pours'],
      ['staff', '/staff/dashboard'],
    ] as const) {
      expect(await thrownBy(() => requireRole(role)(at(pathname)))).toMatchObject({ href: '/dashboard' });
    }
    expect(await thrownBy(() => sendHomeWhenSignedIn({ search: { redirect: '/pours' } }))).toMatchObject({
      href: '/dashboard',
    });
  });

  test('the right role gets in, and the page receives the user', async () => {
    answerSession(member);
    await expect(requireRole('customer')({ location: { href: '/pours' } })).resolves.toEqual({
      user: member,
    });
  });
});

test('a signed-in user is redirected from /login to the requested page', async () => {
  answerSession(member);
  expect(await thrownBy(() => sendHomeWhenSignedIn({ search: { redirect: '/qr-code' } }))).toMatchObject({
    href: '/qr-code',
  });
});

test('only text is accepted as the page to return to', () => {
  expect(readRedirect({ redirect: '/pours' })).toEqual({ redirect: '/pours' });
  expect(readRedirect({ redirect: 7 })).toEqual({});
});

describe('the staff pages while the server cannot be reached', () => {
  const at = { location: { href: '/staff/dashboard' } };
  const serverAway = () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    forgetSession();
  };
  const staffWasHere = async () => {
    answerSession(staff);
    expect(await requireStaff(at)).toEqual({ user: staff, offline: false });
  };

  test('open for the last staff member at this device, by name alone', async () => {
    await staffWasHere();
    serverAway();
    const { user, offline } = await requireStaff(at);
    expect(offline).toBe(true);
    expect(user).toEqual({ ...staff, email: '' });
  });

  test.each([200, 403, 511])("open behind a captive portal's page of status %i", async (status) => {
    await staffWasHere();
    serverAway();
    const headers = { 'content-type': 'text/html' };
    vi.stubGlobal('fetch', async () => new Response('<html>Sign in</html>', { status, headers }));
    expect(await requireStaff(at)).toMatchObject({ offline: true });
  });

  test('do not open a day later', async () => {
    await staffWasHere();
    serverAway();
    vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000, toFake: ['Date'] });
    await expect(requireStaff(at)).rejects.toMatchObject({ status: 503 });
    vi.useRealTimers();
  });

  test.each([
    ['a member signed in', () => answerSession(member)],
    ['nobody is signed in', () => answerSession(null)],
    [
      'the session was refused',
      () => vi.stubGlobal('fetch', async () => new Response(null, { status: 401 })),
    ],
    ['staff must set up a second factor', () => answerSession({ ...staff, must_enrol: true })],
  ])('do not open when, in the meantime, %s', async (_, answer) => {
    await staffWasHere();
    answer();
    forgetSession();
    await requireStaff(at).catch(() => undefined);
    serverAway();
    await expect(requireStaff(at)).rejects.toThrow();
  });

  test('do not open once staff signed out, even if that never reached the server', async () => {
    await staffWasHere();
    serverAway();
    await signOut().catch(() => undefined);
    await expect(requireStaff(at)).rejects.toThrow();
  });
});

test.each([401, 403, 404])(
  'a sign-out answered with %i signs this device out, although its cookie still works',
  async (status) => {
    const answer = (path: string) =>
      path.endsWith('/api/session') ? Response.json({ user: member }) : new Response(null, { status });
    vi.stubGlobal('fetch', async (input: Request | string) =>
      answer(typeof input === 'string' ? input : input.url),
    );
    await signOut();
    expect(await thrownBy(() => requireRole('customer')({ location: { href: '/dashboard' } }))).toMatchObject(
      {
        to: '/login',
      },
    );
    startSession();
    expect(await requireRole('customer')({ location: { href: '/dashboard' } })).toEqual({ user: member });
  },
);
