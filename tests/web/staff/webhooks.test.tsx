import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { WebhookDelivery, WebhookEndpoint } from '../../../src/contract/staff/webhooks.ts';
import { WEBHOOK_EVENTS } from '../../../src/domain/staff/webhook.ts';
import { type Answer, bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

const id = '0197b1f0-0000-7000-8000-0000000000c1';
const endpoint: WebhookEndpoint = {
  id,
  url: 'https://till.example/hook',
  description: 'Till at the bar',
  events: ['pour.recorded'],
  created_at: '2026-06-15T12:00:00.000Z',
  off: null,
  last_success_at: null,
  waiting: 2,
  previous_secret_until: null,
};
const delivery: WebhookDelivery = {
  id: '0197b1f0-0000-7000-8000-0000000000d1',
  event_id: '0197b1f0-0000-7000-8000-0000000000e1',
  type: 'pour.recorded',
  happened_at: '2026-06-15T12:00:00.000Z',
  delivered_at: null,
  given_up_at: null,
  next_attempt_at: '2026-06-15T12:00:30.000Z',
  tries: [
    { at: '2026-06-15T12:00:01.000Z', status: 503, duration_ms: 41, error: null, answer: 'Closed for today' },
  ],
};

const open = (path: string, answers: Record<string, Answer> = {}) => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_staff'] } }),
    'GET /api/webhooks': () => [endpoint],
    [`GET /api/webhooks/${id}/deliveries`]: () => ({ deliveries: [delivery], next_cursor: null }),
    ...answers,
  });
  openStaffApp(path);
  return server;
};

test('an endpoint is added with the events that were chosen, and its secret is shown once', async () => {
  let endpoints: WebhookEndpoint[] = [];
  const server = open('/staff/webhooks', {
    'GET /api/webhooks': () => endpoints,
    'POST /api/webhooks': () => {
      endpoints = [endpoint];
      return { secret: 'whsec_c2VjcmV0', endpoint };
    },
  });
  await screen.findByText('No endpoints yet');
  await userEvent.click(screen.getByRole('button', { name: 'Add Endpoint' }));
  const dialog = within(screen.getByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('URL'), 'http://till.example');
  await userEvent.click(dialog.getByRole('button', { name: 'Add Endpoint' }));
  await dialog.findByText('Enter a URL that starts with https://');
  expect(server.made('POST /api/webhooks')).toEqual([]);
  await userEvent.clear(dialog.getByLabelText('URL'));
  await userEvent.type(dialog.getByLabelText('URL'), 'https://till.example/hook');
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Pour voided' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Add Endpoint' }));
  await screen.findByText('whsec_c2VjcmV0');
  expect(server.made('POST /api/webhooks')[0]?.body).toMatchObject({
    url: 'https://till.example/hook',
    events: WEBHOOK_EVENTS.filter((it) => it !== 'pour.voided'),
  });
  await userEvent.click(screen.getByRole('button', { name: 'I’ve Saved It' }));
  await screen.findByRole('link', { name: 'Till at the bar' });
  expect(screen.queryByText('whsec_c2VjcmV0')).toBeNull();
});

test('the log says how each attempt went, and can send a message again', async () => {
  const replay = `POST /api/webhook-deliveries/${delivery.id}/replay`;
  const server = open(`/staff/webhooks/${id}`, { [replay]: () => ({ replayed: 1 }) });
  const log = within(await screen.findByRole('list', { name: 'Messages, newest first' }));
  await userEvent.click(log.getByText('Pour recorded'));
  expect(log.getByText(/answered 503/).textContent).toContain('41 ms');
  expect(log.getByText('Closed for today')).toBeTruthy();
  await userEvent.click(log.getByRole('button', { name: 'Send Again' }));
  await screen.findByText('Sending again');
  expect(server.made(replay)).toHaveLength(1);
});

test('an endpoint that is off says why, and can be turned on', async () => {
  let on = false;
  const off = { at: '2026-06-15T12:00:00.000Z', why: 'failing' as const };
  const server = open(`/staff/webhooks/${id}`, {
    'GET /api/webhooks': () => [{ ...endpoint, off: on ? null : off }],
    [`PATCH /api/webhooks/${id}`]: ({ body }) => {
      on = body.on === true;
      return endpoint;
    },
  });
  await screen.findByText('Off: no message was delivered for days');
  expect(screen.queryByRole('button', { name: 'Send a Test' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Turn On' }));
  await screen.findByRole('button', { name: 'Send a Test' });
  expect(server.made(`PATCH /api/webhooks/${id}`)[0]?.body).toEqual({ on: true });
});

test('staff without the permission do not see the page', async () => {
  open('/staff/webhooks', { 'GET /api/session': () => ({ user: { ...bruno, permissions: [] } }) });
  await waitFor(() => expect(window.location.pathname).not.toContain('webhooks'));
  expect(screen.queryByRole('heading', { name: 'Webhooks' })).toBeNull();
});
