import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../support/web/staff-app.tsx';
import { ada, openStaffApp, recorded, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const page = `/staff/customers/${ada.id}/add-pour`;
const record = 'POST /api/pours';

function serve(answers: Record<string, Answer> = {}) {
  return stubStaffServer({
    [record]: () => Response.json(recorded(6), { status: 201 }),
    ...answers,
  });
}

const submit = () => screen.getByRole('button', { name: /^Pour/ });
const quantity = () => screen.getByLabelText<HTMLInputElement>('Quantity');

async function open(state: Record<string, unknown> = { customer: ada }) {
  const app = openStaffApp(page, state);
  await screen.findByRole('heading', { name: 'Ada Vine' });
  await waitFor(() => expect(app.state().request_id).toBeTypeOf('string'));
  return app;
}

async function pourAtTheBar() {
  await userEvent.click(screen.getByRole('radio', { name: 'Bar' }));
  await userEvent.click(submit());
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('without the member in the navigation state nothing can be recorded', async () => {
  serve();
  openStaffApp(page);
  await screen.findByText('Customer information not available');
  expect(screen.getByRole('link', { name: 'Back to Bar' }).getAttribute('href')).toBe('/staff/dashboard');
});

test('name, balance and tier; quantity 1, from 1 to the balance; the four locations', async () => {
  serve();
  await open();
  screen.getByText('7');
  screen.getByText('Premier');
  expect(quantity()).toMatchObject({ value: '1', min: '1', max: '7' });
  const places = within(screen.getByRole('group', { name: 'Location' })).getAllByRole<HTMLInputElement>(
    'radio',
  );
  expect(places.map((it) => it.closest('label')?.textContent)).toEqual([
    'Bar',
    'Restaurant',
    'Event',
    'Tasting Room',
  ]);
  expect(places.some((it) => it.checked)).toBe(false);
});

test('a printed card is marked, and sent with the pour', async () => {
  const server = serve();
  const paper_card_id = '0197b1f0-0000-7000-8000-0000000000f1';
  await open({ customer: ada, paper_card_id });
  screen.getByText('Printed card: check the name');
  await pourAtTheBar();
  await screen.findByText('Pour recorded successfully!');
  expect(server.made(record)[0]?.body).toMatchObject({ customer_id: ada.id, paper_card_id });
});

test('records the pour, says so, and replaces the form', async () => {
  const server = serve();
  const app = await open();
  await userEvent.click(screen.getByRole('button', { name: 'One more' }));
  await pourAtTheBar();
  await screen.findByText('Pour recorded successfully!');
  expect(server.made(record)).toHaveLength(1);
  const result = (await screen.findByText('2 pours recorded')).closest('[role="status"]');
  within(result as HTMLElement).getByText('6');
  expect(screen.queryByLabelText('Quantity')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Scan Next' }));
  expect(app.path()).toBe(page);
  app.unmount();

  // A reload or going back does not lead to a form whose pour is already recorded.
  openStaffApp(page, app.state());
  await screen.findByText('2 pours recorded');
  expect(screen.queryByLabelText('Quantity')).toBeNull();
});

test('the result names the wine and the place', async () => {
  const barolo = {
    id: '0197b1f0-0000-7000-8000-0000000000e7',
    name: 'Barolo',
    producer: 'Cascina',
    vintage: 2019,
    color: 'red',
  };
  const server = serve({ 'GET /api/wines/open': () => [barolo] });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: /Barolo/ }));
  await pourAtTheBar();
  const result = (await screen.findByText('1 pour recorded')).closest('[role="status"]');
  expect(result?.textContent).toMatch(/Barolo.*, Bar6left$/);
  expect(server.made(record)[0]?.body).toMatchObject({ wine_id: barolo.id });
});

describe('rules of the form', () => {
  test('a location is required', async () => {
    const server = serve();
    await open();
    await userEvent.click(submit());
    await screen.findByText('Please select a location');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Bar' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Event' }));
    expect(screen.queryByText('Please select a location')).toBeNull();
    expect(server.made(record)).toEqual([]);
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
    expect(server.made(record)).toEqual([]);
  });

  test('with an empty balance there is nothing to send', async () => {
    serve();
    await open({ customer: { ...ada, pours_balance: 0 } });
    screen.getByText('No pours left in this billing period');
    expect(screen.queryByRole('button', { name: /^Pour/ })).toBeNull();
  });
});

describe('the server has the last word', () => {
  test('fewer glasses are left than the page showed: the message, the new balance, nothing recorded', async () => {
    serve({ [record]: () => refusal(409, 'POURS_EXCEEDED', 'Not enough.', { available_pours: 1 }) });
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'One more' }));
    await pourAtTheBar();
    await screen.findByText('Only 1 pours available in current billing period');
    expect(screen.queryByText(/pours? recorded/)).toBeNull();
    expect(quantity().max).toBe('1');
    expect(submit()).toHaveProperty('disabled', true);
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
  });
});

describe('a server error: the pour may have been recorded', () => {
  const lost = () => new Response('broken', { status: 500 });

  test('sends the very same request again', async () => {
    const server = serve({ [record]: lost });
    await open();
    await pourAtTheBar();
    await screen.findByText('Failed to record pour');
    await screen.findByText('The server did not respond');
    expect(quantity().disabled).toBe(true);

    server.answers[record] = () => ({ ...recorded(6), repeated: true });
    await userEvent.click(submit());
    await screen.findByText('Pour recorded successfully!');
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
  await userEvent.click(screen.getByRole('radio', { name: 'Bar' }));
  await userEvent.dblClick(submit());
  await screen.findByText('Pour recorded successfully!');
  expect(server.made(record)).toHaveLength(1);
});
