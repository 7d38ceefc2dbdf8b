import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ada, bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

// docs/rules/dues.md.

const asManager = (permissions: string[]) => () => ({ user: { ...bruno, permissions } });

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('a sign-up that is paid at the till', () => {
  const SIGN_UP = 'POST /api/bar-sign-ups';
  const tier = (tier_name: string, display_name: string, monthly_price: number) => ({
    ...{ tier_name, display_name, monthly_price, monthly_pours: 4, description: '' },
    ...{ is_active: true, is_featured: false, people: 1, guests: 0, rollover_glasses: 0 },
  });

  async function choose() {
    const server = stubStaffServer({
      'GET /api/session': asManager(['manage_members']),
      'POST /api/bar-sign-up-search': () => ({ person: null }),
      'GET /api/tiers': () => [tier('select', 'Select', 39), tier('premier', 'Premier', 69)],
      [SIGN_UP]: () => ({ user_id: ada.id, application_id: ada.id, customer_id: ada.id, link: null }),
    });
    openStaffApp('/staff/members/new');
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Email'), 'ada@demo.test');
    await user.type(screen.getByLabelText('First Name'), 'Ada');
    await user.type(screen.getByLabelText('Last Name'), 'Vine');
    await user.click(screen.getByRole('button', { name: 'Choose Membership' }));
    await user.click(await screen.findByRole('radio', { name: /Paid at the till/ }));
    await user.type(screen.getByLabelText('Toast Reference Number *'), 'T-1');
    const amount = screen.getByLabelText<HTMLInputElement>('Amount (USD)');
    const create = () => user.click(screen.getByRole('button', { name: 'Create Membership' }));
    return { server, user, amount, create };
  }

  test('records a month at the price of the chosen tier', async () => {
    const { server, user, amount, create } = await choose();
    expect(amount.value).toBe('39');
    await user.click(screen.getByRole('radio', { name: /Premier/ }));
    await waitFor(() => expect(amount.value).toBe('69'));
    await create();
    await screen.findByText('Ada is a member');
    expect(server.made(SIGN_UP)[0]?.body).toMatchObject({
      tier: 'premier',
      toast_reference_number: 'T-1',
      months: 1,
      amount_cents: 6900,
    });
  });

  test('sends nothing of it when it is paid by phone after all', async () => {
    const { server, user, amount } = await choose();
    await user.clear(amount);
    await user.type(amount, 'forty');
    await user.click(screen.getByRole('radio', { name: /Pay on their phone/ }));
    await user.click(screen.getByRole('button', { name: 'Show the Code' }));
    await waitFor(() => expect(server.made(SIGN_UP)).toHaveLength(1));
    expect(server.made(SIGN_UP)[0]?.body).not.toHaveProperty('amount_cents');
  });
});
