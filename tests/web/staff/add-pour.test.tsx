import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../support/web/staff-app.tsx';
import { ada, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const page = `/staff/customers/${ada.id}/add-pour`;
const check = 'POST /api/functions/get-available-pours';
const record = 'POST /api/pours';

const recorded = (pours_balance: number) => ({
  pour: {
    id: '0197b1f0-0000-7000-8000-0000000000d1',
    quantity: 1,
    location: 'main_bar',
    notes: null,
    status: 'redeemed',
    toast_reference_number: 'POUR-1',
    created_at: '2026-03-01T10:00:00.000Z',
  },
  pours_balance,
  repeated: false,
});

function serve(answers: Record<string, Answer> = {}) {
  return stubStaffServer({
    [check]: () => ({ available_pours: 7, pours_used: 3, tier_max: 10 }),
    [record]: () => Response.json(recorded(6), { status: 201 }),
    [`GET /api/customers/${ada.id}/bar`]: () => refusal(404, 'NOT_FOUND', 'Not found.', { what: 'customer' }),
    ...answers,
  });
}

const submit = () => screen.getByRole('button', { name: /Record Pour|Recording/ });
const quantity = () => screen.getByLabelText<HTMLInputElement>('Quantity');

async function open(state: Record<string, unknown> = { customer: ada }) {
  const app = openStaffApp(page, state);
  await screen.findByRole('heading', { name: 'Ada Vine' });
  await waitFor(() => expect(app.state().request_id).toBeTypeOf('string'));
  return app;
}

async function pourAtTheBar() {
  await userEvent.selectOptions(screen.getByLabelText('Location'), 'Bar');
  await userEvent.click(submit());
}

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(console, 'warn').mockReturnValue();
});

afterEach(cleanup);

test('without the member in the navigation state nothing can be recorded', async () => {
  serve();
  openStaffApp(page);
  await screen.findByText('Customer information not available');
  expect(screen.getByRole('link', { name: /Dashboard/ }).getAttribute('href')).toBe('/staff/dashboard');
});

test('name, balance and tier; quantity 1, from 1 to the balance; the four locations', async () => {
  serve();
  await open();
  screen.getByText('7');
  screen.getByText('Premier');
  expect(quantity()).toMatchObject({ value: '1', min: '1', max: '7' });
  const places = [...screen.getByLabelText<HTMLSelectElement>('Location').options].filter((it) => it.value);
  expect(places.map((it) => it.textContent)).toEqual(['Bar', 'Restaurant', 'Event', 'Tasting Room']);
});

test('checks, records, says so, and replaces the form', async () => {
  const server = serve();
  const app = await open();
  const { request_id } = app.state();
  await userEvent.click(screen.getByRole('button', { name: 'One more' }));
  await userEvent.type(screen.getByLabelText(/Notes/), ' Barolo ');
  await pourAtTheBar();
  await screen.findByText('Pour recorded successfully!');
  screen.getByText('6 pours left');
  expect(server.made(check)[0]?.body).toEqual({ customer_id: ada.id });
  expect(server.made(record).map((it) => it.body)).toEqual([
    { request_id, customer_id: ada.id, quantity: 2, location: 'bar', notes: 'Barolo' },
  ]);
  await screen.findByText('2 pours recorded');
  expect(screen.queryByLabelText('Quantity')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Scan Next' }));
  expect(app.path()).toBe(page);
  app.unmount();

  // Neither a reload nor going back leads to a form whose pour is already recorded.
  openStaffApp(page, app.state());
  await screen.findByText('2 pours recorded');
  expect(screen.queryByLabelText('Quantity')).toBeNull();
});

describe('rules of the form', () => {
  test('a location is required', async () => {
    const server = serve();
    await open();
    await userEvent.click(submit());
    await screen.findByText('Please select a location');
    expect(document.activeElement).toBe(screen.getByLabelText('Location'));
    await userEvent.selectOptions(screen.getByLabelText('Location'), 'Event');
    expect(screen.queryByText('Please select a location')).toBeNull();
    expect(server.made(check)).toEqual([]);
  });

  test('more than the balance cannot be sent', async () => {
    serve();
    await open();
    await userEvent.clear(quantity());
    await userEvent.type(quantity(), '8');
    await screen.findByText('Only 7 pours available in current billing period');
    expect(submit()).toHaveProperty('disabled', true);
  });

  test('an empty quantity cannot be sent', async () => {
    const server = serve();
    await open();
    await userEvent.clear(quantity());
    await pourAtTheBar();
    expect(document.activeElement).toBe(quantity());
    expect(server.made(check)).toEqual([]);
  });

  test('with an empty balance nothing can be sent', async () => {
    serve();
    await open({ customer: { ...ada, pours_balance: 0 } });
    expect(submit()).toHaveProperty('disabled', true);
    screen.getByText('Only 0 pours available in current billing period');
  });
});

describe('the server has the last word', () => {
  test('fewer are available than the page showed: the message, the new balance, nothing recorded', async () => {
    const server = serve({ [check]: () => ({ available_pours: 1, pours_used: 9, tier_max: 10 }) });
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'One more' }));
    await pourAtTheBar();
    await screen.findByText('Only 1 pours available in current billing period');
    expect(server.made(record)).toEqual([]);
    expect(quantity().max).toBe('1');
  });

  test('the last glass went between check and record', async () => {
    serve({ [record]: () => refusal(409, 'POURS_EXCEEDED', 'Not enough.', { available_pours: 0 }) });
    await open();
    await pourAtTheBar();
    await screen.findByText('Only 0 pours available in current billing period');
  });

  test('a refusal is shown, and the form can be sent again', async () => {
    const server = serve({
      [record]: () => refusal(409, 'CUSTOMER_NOT_ACTIVE', 'This membership is not active.'),
    });
    await open();
    await pourAtTheBar();
    await screen.findByText('Failed to record pour');
    screen.getByText('This membership is not active.');
    await userEvent.click(submit());
    await waitFor(() => expect(server.made(record)).toHaveLength(2));
    expect(server.made(check)).toHaveLength(2);
  });

  test('a check that fails records nothing', async () => {
    const server = serve({ [check]: () => new Response('broken', { status: 500 }) });
    await open();
    await pourAtTheBar();
    await screen.findByText('Failed to record pour');
    expect(server.made(record)).toEqual([]);
    expect(quantity().disabled).toBe(false);
  });
});

describe('a server error: the pour may have been recorded', () => {
  const lost = () => new Response('broken', { status: 500 });

  test('sends the very same request again, without a check that the pour itself could fail', async () => {
    const server = serve({ [record]: lost });
    await open();
    await pourAtTheBar();
    await screen.findByText('Failed to record pour');
    await screen.findByText('The server did not respond');
    expect(quantity().disabled).toBe(true);

    server.answers[check] = () => ({ available_pours: 0, pours_used: 10, tier_max: 10 });
    server.answers[record] = () => ({ ...recorded(6), repeated: true });
    await userEvent.click(submit());
    await screen.findByText('Pour recorded successfully!');
    expect(server.made(check)).toHaveLength(1);
    const [first, second] = server.made(record);
    expect(second?.body).toEqual(first?.body);
  });

  test('survives a reload', async () => {
    const server = serve({ [record]: lost });
    const app = await open();
    await pourAtTheBar();
    await screen.findByText('The server did not respond');
    const state = app.state();
    app.unmount();

    server.answers[record] = () => ({ ...recorded(6), repeated: true });
    await open(state);
    screen.getByText('The server did not respond');
    await userEvent.click(submit());
    await screen.findByText('Pour recorded successfully!');
    const [first, second] = server.made(record);
    expect(second?.body).toEqual(first?.body);
  });
});

test('a double tap records once', async () => {
  const server = serve();
  await open();
  await userEvent.selectOptions(screen.getByLabelText('Location'), 'Bar');
  await userEvent.dblClick(submit());
  await screen.findByText('Pour recorded successfully!');
  expect(server.made(record)).toHaveLength(1);
});
