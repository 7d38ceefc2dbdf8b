import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { openApp, refuse, stubServer } from '../../support/web/member-app.tsx';

afterEach(() => {
  cleanup();
});

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
    /one pool of glasses/,
  ],
  ['/guest', 'POST /api/guest-glasses/read', guest, /at least 21/],
  [
    '/invitation',
    'POST /api/team-invitations/read',
    { email: 'mira@venue.example', needs: 'nothing' },
    /becomes a staff account/,
  ],
])(
  '%s says that a link could not be checked, over the rate limit or while the server is away',
  async (path, call, good, words) => {
    for (const status of [429, 503]) {
      const server = stubServer({ 'GET /api/session': { user: null }, [call]: refuse(status, tooMany) });
      openApp(`${path}#${'x'.repeat(43)}`);
      await screen.findByText('We could not check your link just now. Wait a minute, then try again.');
      expect(screen.queryByText(/does not work/)).toBeNull();
      server.answers[call] = good;
      await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
      expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
      cleanup();
      sessionStorage.clear();
    }
  },
);
