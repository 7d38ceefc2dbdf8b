import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { MemberDetail } from '../../../src/contract/members.ts';
import {
  ada,
  adasPage,
  bruno,
  openStaffApp,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

// docs/rules/membership.md, "Pausing".

const until = '2026-12-01T12:00:00.000Z';
const paused: MemberDetail = {
  ...adasPage,
  standing: 'paused',
  pause: { from: '2026-11-01T12:00:00.000Z', until, begun: true },
};
const { user_id } = paused.customer;
const EXTEND = `POST /api/customers/${ada.id}/pause/extend`;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('staff extend a pause that has begun by a month, and read why it is refused', async () => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_members'] } }),
    [`GET /api/customers/${user_id}`]: () => paused,
    [EXTEND]: () => refusal(409, 'PAUSE_REFUSED', 'No', { reason: 'not_offered' }),
  });
  openStaffApp(`/staff/customers/${user_id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Extend the Pause' }));
  const question = within(await screen.findByRole('alertdialog'));
  question.getByText(/The pause ends on 12\/1\/2026/);
  await userEvent.click(question.getByRole('button', { name: 'Extend by a Month' }));
  await question.findByText(/at most three months/);
  server.answers[EXTEND] = () => ({ pause: paused.pause });
  await userEvent.click(question.getByRole('button', { name: 'Extend by a Month' }));
  await screen.findByText('Pause extended');
  expect(server.made(EXTEND)).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Take Back the Pause' })).toBeNull();
});
