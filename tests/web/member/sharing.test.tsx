import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import {
  ada,
  availablePours,
  customer,
  me,
  openApp,
  refusal,
  stubServer,
} from '../../support/web/member-app.tsx';

// docs/rules/households.md, "Household" and "A glass for a guest".

const TOKEN = 'x'.repeat(43);
const SOON = '2026-12-01T10:00:00.000Z';
const ben = { first_name: 'Ben', last_name: 'Vine', since: '2026-11-01T10:00:00.000Z' };
const pours = [
  { id: 'p1', who: 'other', guest: true, quantity: 2, location: 'main_bar', created_at: SOON },
  { id: 'p2', who: 'you', guest: false, quantity: 1, location: 'main_bar', created_at: SOON },
];
const shared = { role: 'holder', other: ben, obstacle: 'full', invitation: null, pours };
const partner = { role: 'partner', first_name: 'Ben', pause: null, ends_at: '2026-12-15T12:00:00.000Z' };
const holder = { role: 'holder', first_name: 'Ben', pause: null, ends_at: null };
const mine = { 'GET /api/customers/own': { ...me, customer } };
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('the household', () => {
  test('shows who poured what, on its page and on the dashboard', async () => {
    stubServer({
      'GET /api/customers/own': { ...me, customer, household: holder },
      'GET /api/household': shared,
    });
    openApp('/household');
    expect(await screen.findByText('You 1, Ben 2')).toBeDefined();
    expect(screen.getByText(/Ben, for a guest/)).toBeDefined();
    cleanup();
    openApp('/dashboard');
    expect(await screen.findByText('You 1, Ben 2')).toBeDefined();
  });

  test.each([
    [null, 'Invite Your Partner', /^It is for two/],
    [
      { email: 'ben@demo.test', created_at: SOON, expires_at: SOON },
      'See Your Invitation',
      'Your invitation to ben@demo.test waits until 12/1/2026.',
    ],
  ])('with a free place, the dashboard leads to the invitation: %o', async (invitation, link, text) => {
    stubServer({
      'GET /api/customers/own': { ...me, customer, has_free_seat: true },
      'GET /api/household': { role: 'holder', other: null, obstacle: null, invitation, pours: [] },
    });
    openApp('/dashboard');
    expect((await screen.findByRole('link', { name: link })).getAttribute('href')).toBe('/household');
    screen.getByText(text);
  });

  test.each([
    [
      'tier',
      'Ben',
      'Ben’s membership is now for one person, so you no longer share it. You can join with a membership of your own, or ask Ben to change to a tier for two and invite you again.',
    ],
    [
      'holder',
      'Ben',
      'Ben no longer shares a membership with you. You can join with a membership of your own.',
    ],
    [
      'partner',
      'Ben',
      'You left the membership that you shared with Ben. You can join with a membership of your own, or ask Ben to invite you again.',
    ],
    ['account', null, 'The membership you shared is over. You can join with a membership of your own.'],
  ] as const)(
    'ended by %s: a former partner reads what happened and what to do',
    async (ended_by, first_name, text) => {
      stubServer({
        'GET /api/customers/own': {
          ...me,
          customer: { ...customer, status: 'inactive' },
          former_household: { ended_by, first_name },
        },
      });
      openApp('/dashboard');
      await screen.findByText(text);
      screen.getByRole('link', { name: 'Renew Membership' });
    },
  );

  test('ends after a confirmation', async () => {
    const server = stubServer({
      ...mine,
      'GET /api/household': shared,
      'DELETE /api/household': { removed: true },
    });
    openApp('/household');
    await press('Stop Sharing with Ben');
    expect(server.count('DELETE /api/household')).toBe(0);
    await press('Stop Sharing');
    await waitFor(() => expect(server.count('DELETE /api/household')).toBe(1));
  });

  test('makes a code to show, and says why when nobody can be invited', async () => {
    const free = { role: 'holder', other: null, obstacle: null, invitation: null, pours: [] };
    const invitation = { email: null, created_at: SOON, expires_at: SOON };
    stubServer({
      ...mine,
      'GET /api/household': free,
      'PUT /api/household/invitation': { invitation, url: `https://club.example/share#${TOKEN}` },
    });
    openApp('/household');
    await press('Show a Code Instead');
    expect(await screen.findByRole('img', { name: 'QR code of your invitation' })).toBeDefined();
    cleanup();
    stubServer(mine);
    openApp('/household');
    expect(await screen.findByText(/Your tier is for one person/)).toBeDefined();
  });

  test('shows a partner no billing on the account page', async () => {
    stubServer({ 'GET /api/customers/own': { ...me, customer, household: partner } });
    openApp('/account');
    expect(await screen.findByText(/You share Ben’s membership/)).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'Billing' })).toBeNull();
    expect(screen.getByText('Ends 12/15/2026')).toBeDefined();
  });

  test('tells a partner when the pause ends and what the renewal adds, and nothing about payments', async () => {
    const until = '2026-12-15T12:00:00.000Z';
    const answer = (household: object, more: object) => ({
      'GET /api/customers/own': { ...me, customer, household, pours: { ...availablePours, ...more } },
      'GET /api/household': { ...shared, role: 'partner' },
    });
    const paused = { ...partner, ends_at: null, pause: { from: SOON, until, begun: true } };
    stubServer(answer(paused, { available_pours: 0 }));
    openApp('/dashboard');
    expect(await screen.findAllByText('Paused until 12/15/2026')).toHaveLength(2);
    cleanup();
    stubServer(answer({ ...partner, ends_at: null }, { pours_when_paid: 15, carried_pours: 2 }));
    openApp('/dashboard');
    expect(await screen.findByText('15 more once the membership is renewed')).toBeDefined();
    expect(document.body.textContent).not.toMatch(/pa(y|id)/i);
  });

  test('that is not active names the holder, and says how to leave', async () => {
    stubServer({
      'GET /api/customers/own': { ...me, customer: { ...customer, status: 'inactive' }, household: partner },
    });
    openApp('/dashboard');
    expect(await screen.findByText(/You share Ben’s membership, and it is not active now/)).toBeDefined();
    expect(screen.getByRole('link', { name: 'leave the household' })).toBeDefined();
  });

  test('is not requested by the dashboard of a member who shares with nobody', async () => {
    const server = stubServer(mine);
    openApp('/dashboard');
    await screen.findByText('Pours Remaining');
    expect(server.count('GET /api/household')).toBe(0);
  });

  test('ends for a partner who deletes their account, as the page says', async () => {
    stubServer({ 'GET /api/customers/own': { ...me, customer, household: partner } });
    openApp('/account/data');
    expect(
      await screen.findByText(/Ends your share of the membership and permanently deletes/),
    ).toBeDefined();
  });
});

describe('an invitation', () => {
  const read = { holder_first_name: 'Ben', expires_at: SOON, consent: null };
  const call = 'POST /api/household-invitations/accept';

  test('is accepted by the signed-in user, or says why it cannot be', async () => {
    const server = stubServer({
      ...mine,
      'POST /api/household-invitations/read': read,
      [call]: refusal(409, 'HOUSEHOLD_REFUSED', 'No', { reason: 'email_not_confirmed' }),
    });
    const app = openApp(`/share#${TOKEN}`);
    await press('Join');
    expect((await screen.findByRole('alert')).textContent).toContain('Please confirm your email first');
    server.answers[call] = { joined: true };
    await press('Join');
    await waitFor(() => expect(app.path()).toBe('/dashboard'));
    expect(server.calls.find((made) => made.call === call)?.body).toEqual({ token: TOKEN });
  });

  test('offers no second try where it cannot help', async () => {
    stubServer({
      ...mine,
      'POST /api/household-invitations/read': read,
      [call]: refusal(409, 'HOUSEHOLD_REFUSED', 'No', { reason: 'own_membership' }),
    });
    openApp(`/share#${TOKEN}`);
    await press('Join');
    expect((await screen.findByRole('alert')).textContent).toContain('You have a membership of your own');
    expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
  });

  test('waits while the user signs in first, and its token is not in the link to register', async () => {
    stubServer({ 'GET /api/session': { user: null }, 'POST /api/household-invitations/read': read });
    openApp(`/share#${TOKEN}`);
    const link = await screen.findByRole('link', { name: 'Create an Account' });
    expect(link.getAttribute('href')).not.toContain(TOKEN);
    cleanup();
    stubServer({ 'GET /api/session': { user: ada }, 'POST /api/household-invitations/read': read });
    openApp('/share');
    expect(await screen.findByRole('button', { name: 'Join' })).toBeDefined();
  });
});

describe('a glass for a guest', () => {
  const held = { id: 'g1', created_at: SOON, expires_at: SOON, age_stated: false, state: 'held' };

  test('is given, gets a new link, and is taken back', async () => {
    const server = stubServer({
      ...mine,
      'GET /api/guest-glasses': { limit: 1, used: 0, can_give: true, glasses: [] },
      'POST /api/guest-glasses': { id: 'g1', url: `https://club.example/guest#${TOKEN}`, expires_at: SOON },
      'POST /api/guest-glasses/g1/link': { url: 'https://club.example/guest#new', expires_at: SOON },
      'DELETE /api/guest-glasses/g1': { removed: true },
    });
    openApp('/household');
    await screen.findByText('0 of 1 given this month');
    server.answers['GET /api/guest-glasses'] = { limit: 1, used: 1, can_give: false, glasses: [held] };
    await press('Give a Pour');
    expect(await screen.findByRole('img', { name: /your guest/ })).toBeDefined();
    cleanup();
    openApp('/household');
    expect(await screen.findByRole('button', { name: 'New Link' })).toBeDefined();
    expect(screen.queryByRole('img', { name: /your guest/ })).toBeNull();
    await press('New Link');
    expect(await screen.findByText('https://club.example/guest#new')).toBeDefined();
    await press('Take Back');
    await waitFor(() => expect(server.count('DELETE /api/guest-glasses/g1')).toBe(1));
  });

  test('shows its code once the guest has confirmed their age', async () => {
    const glass = { giver_first_name: 'Ada', expires_at: SOON, minimum_age: 21 };
    const server = stubServer({
      'GET /api/session': { user: null },
      'POST /api/guest-glasses/read': { ...glass, obstacle: 'age_not_stated', code: null },
      'POST /api/guest-glasses/state-age': { ...glass, obstacle: null, code: `guest-${TOKEN}` },
    });
    openApp(`/guest#${TOKEN}`);
    await press('I Am at Least 21');
    expect(await screen.findByRole('img', { name: 'QR code of your glass' })).toBeDefined();
    expect(server.calls.find((made) => made.call.endsWith('state-age'))?.body).toEqual({
      token: TOKEN,
      age: 21,
    });
  });
});
