import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { TierSetting } from '../../../src/contract/staff/tier-settings.ts';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const select: TierSetting = {
  tier_name: 'select',
  display_name: 'Select',
  description: 'Four glasses a month.',
  monthly_price_cents: 3900,
  yearly_price_cents: null,
  monthly_pours: 4,
  people: 1,
  guest_glasses: 1,
  rollover_glasses: 0,
  benefits: [],
  is_active: true,
  is_featured: false,
  members: 12,
  moves: null,
};
const elite = { ...select, tier_name: 'elite', display_name: 'Elite', members: 0 };

const openTiers = (answers: Record<string, Answer> = {}, permissions: string[] = ['manage_money']) => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions } }),
    'GET /api/tier-settings': () => [select, elite],
    ...answers,
  });
  openStaffApp('/staff/tiers');
  return server;
};
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const type = async (label: RegExp, text: string) => {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

test('staff without the permission see the tiers and cannot change them', async () => {
  openTiers({}, []);
  await screen.findByRole('heading', { name: 'Select' });
  expect(within(screen.getByRole('main')).queryAllByRole('button')).toEqual([]);
});

test('a tier for two says that its members include partners, whom reports do not count', async () => {
  openTiers({ 'GET /api/tier-settings': () => [select, { ...elite, members: 18, people: 2 }] });
  await screen.findByText('18 members with their partners, for two, 1 pour for guests');
  screen.getByText('12 members, 1 pour for guests');
});

test('the price of a year says what it saves, and is none while the field is empty', async () => {
  const path = 'PATCH /api/tier-settings/select';
  const server = openTiers({ [path]: () => [{ ...select, yearly_price_cents: 39_000 }, elite] });
  await press('Edit Select');
  await type(/^Price of a Year/, '469');
  await press('Save');
  await screen.findByText(/A year costs no more than twelve months/);
  await type(/^Price of a Year/, '390');
  screen.getByText('Paid once, for twelve months; ends by itself. Empty for none. 2 months free.');
  await press('Save');
  await screen.findByText('$390 for a year, 2 months free');
  expect(server.made(path).map(({ body }) => body)).toEqual([{ yearly_price_cents: 39_000 }]);
});

test('a new price says who it affects before it is saved, and only what was changed is sent', async () => {
  const path = 'PATCH /api/tier-settings/select';
  const server = openTiers({ [path]: () => [{ ...select, monthly_price_cents: 4500 }, elite] });
  await press('Edit Select');
  await type(/^Price per Month/, '45');
  screen.getByText(/joins or switches to this tier from now on pays \$45\.00/);
  const effect = screen.getByText(/12 members keep the price they pay/);
  // Right below the price: on a phone, the end of the form is out of sight.
  const below = screen.getByLabelText('For').compareDocumentPosition(effect);
  expect(below).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  await press('Save');
  await screen.findByText(/\$45\.00/);
  expect(server.made(path).map(({ body }) => body)).toEqual([{ monthly_price_cents: 4500 }]);
});

test('rollover is set per tier, and the form says for whom and from when', async () => {
  const path = 'PATCH /api/tier-settings/select';
  const server = openTiers({ [path]: () => [{ ...select, rollover_glasses: 3 }, elite] });
  await press('Edit Select');
  await type(/^Pours That Roll Over/, '101');
  await press('Save');
  await screen.findByText('Enter 0 to 100.');
  await type(/^Pours That Roll Over/, '3');
  screen.getByText(
    'For 12 members, and anyone who joins: up to 3 pours left at the end of a month can be used in the next, from the month that begins with their next renewal. The current month rolls over none.',
  );
  await press('Save');
  await screen.findByText(/3 pours roll over/);
  expect(server.made(path).map(({ body }) => body)).toEqual([{ rollover_glasses: 3 }]);
});

test('a refusal is shown at its field', async () => {
  openTiers({
    'PATCH /api/tier-settings/select': () =>
      refusal(409, 'TIER_SETTING_REFUSED', 'The tier cannot be changed this way.', {
        reason: 'members_have_it',
      }),
  });
  await press('Edit Select');
  await type(/^Pours per Month/, '3');
  await press('Save');
  await screen.findByText(/fewer pours than they pay for/);
  expect(screen.getByLabelText(/^Pours per Month/).getAttribute('aria-invalid')).toBe('true');
});

test('a move shows who it affects, when and at what price before it emails them', async () => {
  const server = openTiers({
    'GET /api/tier-settings/select/move': () => ({
      announced: 11,
      unchanged: 0,
      already_announced: 0,
      not_now: 1,
      at_venue: 0,
      price_cents: 4500,
      monthly_pours: 4,
      first_at: '2026-07-15T12:00:00.000Z',
      last_at: '2026-08-10T12:00:00.000Z',
    }),
    'POST /api/tier-settings/select/move': () => ({
      announced: 11,
      unchanged: 0,
      already_announced: 0,
      not_now: 1,
      at_venue: 0,
    }),
  });
  await press('Move members of Select');
  await screen.findByText(/between .*15.* and .*10/);
  screen.getByText(/1 left out/);
  await press('Email 11 members');
  await screen.findByText('11 members emailed');
  expect(server.made('POST /api/tier-settings/select/move').map(({ body }) => body)).toEqual([
    { to: 'select', price_cents: 4500 },
  ]);
});

test('a tier moves up among those on offer, and the first no further', async () => {
  const server = openTiers({ 'PUT /api/tier-order': () => [elite, select] });
  await press('Show Elite earlier');
  await screen.findByText('The order was changed');
  expect(server.made('PUT /api/tier-order').map(({ body }) => body)).toEqual([
    { tiers: ['elite', 'select'] },
  ]);
  expect(screen.getByRole('button', { name: 'Show Elite earlier' })).toHaveProperty('disabled', true);
});

const BENEFITS = [
  { id: '0197a000-0000-7000-8000-000000000001', words: 'Bottle of the month', every: 'month', number: 2 },
  { id: '0197a000-0000-7000-8000-000000000002', words: '10 % off bottles', every: null, number: null },
] as const;

test('benefits are added, counted, ordered and taken off, and the whole list is sent', async () => {
  const tier = { ...select, benefits: [...BENEFITS] };
  const server = openTiers({
    'GET /api/tier-settings': () => [tier, elite],
    'PATCH /api/tier-settings/select': () => [tier, elite],
  });
  await screen.findByText('Bottle of the month, 2 a month');
  await press('Edit Select');
  await press('Add Benefit');
  await userEvent.type(screen.getByLabelText('Benefit 3'), 'Welcome glass');
  await userEvent.selectOptions(screen.getByLabelText('Benefit 3 is counted'), 'once');
  screen.getByRole('button', { name: /^Move benefit 3 of 3/ }).focus();
  await userEvent.keyboard('{ArrowUp}');
  await press('Remove benefit 3');
  await type(/How many of benefit 1/, '1');
  screen.getByText(/12 members keep what they have now/);
  await press('Save');
  await vi.waitFor(() =>
    expect(server.made('PATCH /api/tier-settings/select').map(({ body }) => body)).toEqual([
      {
        benefits: [
          { id: BENEFITS[0].id, words: 'Bottle of the month', every: 'month', number: 1 },
          { words: 'Welcome glass', every: 'once', number: 1 },
        ],
      },
    ]),
  );
});

test.each([
  ['0', 'Count 1 to 50 of a benefit.'],
  ['51', 'Count 1 to 50 of a benefit.'],
  ['', 'Count 1 to 50 of a benefit.'],
])('a benefit cannot be counted %j times', async (number, problem) => {
  openTiers({ 'GET /api/tier-settings': () => [{ ...select, benefits: [...BENEFITS] }] });
  await press('Edit Select');
  const field = screen.getByLabelText('How many of benefit 1');
  await userEvent.clear(field);
  if (number) await userEvent.type(field, number);
  await press('Save');
  await screen.findByText(problem);
});

test('a tier has no ninth benefit, and none with HTML', async () => {
  const list = Array.from({ length: 7 }, (_, n) => ({ ...BENEFITS[1], id: `${n}`, words: `Benefit ${n}` }));
  openTiers({ 'GET /api/tier-settings': () => [{ ...select, benefits: list }] });
  await press('Edit Select');
  await press('Add Benefit');
  expect(screen.queryByRole('button', { name: 'Add Benefit' })).toBeNull();
  await userEvent.type(screen.getByLabelText('Benefit 8'), '<b>Free</b>');
  await press('Save');
  await screen.findByText(/one line of up to 60 characters, without HTML/);
});
