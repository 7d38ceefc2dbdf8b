import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { signOut } from '../../../src/web/api/sign-out.ts';
import { ada, openApp, refusal, refuse, stubServer } from '../../support/web/member-app.tsx';

const SOON = '2026-12-01T10:00:00.000Z';
const tooMany = { code: 'TOO_MANY_ATTEMPTS', message: 'Wait.', data: { retry_after_seconds: 60 } };
const signUp = {
  state: 'paid',
  first_name: 'Ada',
  email: 'ada@demo.test',
  tier: { tier_name: 'select', display_name: 'Select' },
};
const guest = {
  giver_first_name: 'Ada',
  expires_at: SOON,
  minimum_age: 21,
  code: null,
  obstacle: 'age_not_stated',
};

test.each([
  ['/join', 'POST /api/payment-links/read', signUp, /membership is active/],
  [
    '/share',
    'POST /api/household-invitations/read',
    { holder_first_name: 'Ada', expires_at: SOON, consent: null },
    /would like to share a membership with you/,
  ],
  ['/guest', 'POST /api/guest-glasses/read', guest, /21 or older/],
  [
    '/invitation',
    'POST /api/team-invitations/read',
    { email: 'mira@venue.example', needs: 'own password' },
    /becomes a staff account/,
  ],
])(
  '%s says that a link could not be checked, over the rate limit or while the server is away',
  async (path, call, good, words) => {
    for (const status of [429, 503]) {
      const server = stubServer({ 'GET /api/session': { user: null }, [call]: refuse(status, tooMany) });
      openApp(`${path}#${'x'.repeat(43)}`);
      await screen.findByText('We couldn’t check your link just now. Wait a minute, then try again.');
      expect(screen.queryByText(/does not work/)).toBeNull();
      server.answers[call] = good;
      await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
      expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
      cleanup();
      sessionStorage.clear();
    }
  },
);

const TOKEN = 'x'.repeat(43);

test('an invitation opens from a link that was copied with an invisible space behind it', async () => {
  const read = vi.fn(() => ({ email: 'mira@venue.example', needs: 'own password' }));
  stubServer({ 'GET /api/session': { user: null }, 'POST /api/team-invitations/read': read });
  openApp(`/invitation#${TOKEN}%E2%80%8B`);
  await screen.findByText(/becomes a staff account/);
  expect(read).toHaveBeenCalledWith({ token: TOKEN });
});
const INVITATION = { holder_first_name: 'Ben', expires_at: SOON, consent: null };

describe.each([
  ['an invitation', '/share', TOKEN, 'You are invited to share a membership', 'See the Invitation'],
  ['a gift', '/redeem', 'ABCD-EFGH-JKMN-PQRS-TVWX', 'A gift is waiting for you', 'Redeem My Gift'],
])('someone who registers for %s', (_, page, secret, title, button) => {
  const open = async () => {
    const server = stubServer({
      'GET /api/session': { user: null },
      'POST /api/household-invitations/read': INVITATION,
      'POST /api/gifts/look': refusal(404, 'GIFT_CODE_UNKNOWN', 'No such gift.', {}),
      'POST /api/auth/sign-up': () => {
        server.answers['GET /api/session'] = { user: ada };
        return {};
      },
    });
    const app = openApp(`${page}#${secret}&email=ada%40demo.test`);
    await userEvent.click(await screen.findByRole('link', { name: /create an account/i }));
    return { server, app };
  };

  test('finds their email filled in, and the dashboard leads with it', async () => {
    const { server, app } = await open();
    const email = await screen.findByLabelText<HTMLInputElement>('Email');
    expect(email.value).toBe('ada@demo.test');
    expect(app.router.history.location.href).not.toContain(secret);
    for (const [label, value] of [
      ['First Name', 'Ada'],
      ['Last Name', 'Vine'],
      ['Password', 'correct horse'],
      ['Confirm Password', 'correct horse'],
    ] as const) {
      await userEvent.type(screen.getByLabelText(label), value);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Create Account' }));
    await waitFor(() => expect(app.path()).toBe('/dashboard'));
    await screen.findByRole('link', { name: button });
    const headings = screen.getAllByRole('heading', { level: 2 });
    expect(headings.map(({ textContent }) => textContent)).toEqual([title]);
    expect(screen.queryByText('Get Started')).toBeNull();
    expect(screen.getByRole('link', { name: button }).getAttribute('href')).toBe(page);
    expect(server.calls.every(({ query }) => !JSON.stringify(query ?? {}).includes(secret))).toBe(true);
  });

  test('leaves nothing of it to the next user of the device', async () => {
    await open();
    stubServer({ 'POST /api/auth/sign-out': {} });
    await signOut();
    openApp('/dashboard');
    await screen.findByText('Get Started');
    expect(screen.queryByText(title)).toBeNull();
    expect(sessionStorage.length).toBe(0);
  });
});

test('an invitation that does not work any more is forgotten', async () => {
  stubServer({ 'POST /api/household-invitations/read': refusal(404, 'NOT_FOUND', 'No.') });
  openApp(`/share#${TOKEN}`);
  await screen.findByText('This link does not work');
  cleanup();
  openApp('/dashboard');
  await screen.findByText('Get Started');
  expect(screen.queryByText('You are invited to share a membership')).toBeNull();
});

describe('a visitor at /redeem', () => {
  const greeted = async (path: string, title: string) => {
    stubServer({ 'GET /api/session': { user: null } });
    const app = openApp(path);
    await screen.findByRole('heading', { level: 1, name: title });
    expect(app.path()).toBe('/redeem');
    for (const [name, page] of [
      ['Create an Account', '/register'],
      ['Sign In', '/login'],
    ] as const) {
      const link = screen.getByRole('link', { name });
      expect(link.getAttribute('href')).toBe(`${page}?redirect=%2Fredeem`);
    }
    return app;
  };

  test('from a printed card is greeted with the gift before signing in', async () => {
    const app = await greeted('/redeem#ABCD-EFGH-JKMN-PQRS-TVWX', 'A Gift for You');
    screen.getByText(/^Someone gave you a membership/);
    expect(app.router.history.location.href).not.toContain('ABCD');
  });

  test('without a code reads what is needed to redeem one', async () => {
    await greeted('/redeem', 'Redeem a Gift');
    screen.getByText(/^The code of your gift has 20 letters and digits/);
  });
});
