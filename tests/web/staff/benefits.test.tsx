import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { BarBenefit } from '../../../src/contract/benefits.ts';
import { flushQueue } from '../../../src/web/staff/offline-queue/flush-queue.ts';
import { queueUse, withdrawQueued } from '../../../src/web/staff/offline-queue/queue.ts';
import { queueStore } from '../../../src/web/staff/offline-queue/queue-store.ts';
import { type QueuedUse, waitingLabel } from '../../../src/web/staff/offline-queue/queued-pour.ts';
import type { Answer } from '../../support/web/staff-app.tsx';
import {
  ada,
  adaAtBar,
  bruno,
  openStaffApp,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

const id = (n: number) => `0197b1f0-0000-7000-8000-0000000002${String(n).padStart(2, '0')}`;
const BOTTLE: BarBenefit = {
  ...{ id: id(1), words: 'Bottle of the month', every: 'month', number: 2, left: 2 },
  ...{ until: '2026-07-15T07:00:00.000Z', taken: [] },
};
const DISCOUNT: BarBenefit = {
  ...{ id: id(2), words: '10 % off bottles', every: null, number: null, left: null },
  ...{ until: null, taken: [] },
};
const USE = id(3);

const page = `/staff/customers/${ada.id}/add-pour`;
const bar = `GET /api/customers/${ada.id}/bar`;
const takeIt = `POST /api/customers/${ada.id}/benefits/${BOTTLE.id}`;
const voidIt = `POST /api/benefit-uses/${USE}/void`;

const taken = (left: number): BarBenefit[] => [
  { ...BOTTLE, left, taken: [{ id: USE, at: new Date().toISOString(), by: 'Bruno Rossi', own: true }] },
  DISCOUNT,
];

function serve(answers: Record<string, Answer> = {}) {
  let benefits = [BOTTLE, DISCOUNT];
  return stubStaffServer({
    [bar]: () => ({ ...adaAtBar, benefits }),
    [takeIt]: () => {
      benefits = taken(1);
      return { use_id: USE, repeated: false, benefits };
    },
    [voidIt]: () => {
      benefits = [BOTTLE, DISCOUNT];
      return { benefits };
    },
    ...answers,
  });
}
const open = (state: object = {}) => openStaffApp(page, { customer: ada, ...state });
const tap = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => {
  queueStore.fresh();
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('a counted benefit is taken with one tap and undone with another; a standing one is only shown', async () => {
  const server = serve();
  open();
  await screen.findByText('2 of 2 left this month');
  screen.getByText('10 % off bottles');
  expect(screen.queryByRole('button', { name: 'Take: 10 % off bottles' })).toBeNull();
  await tap('Take: Bottle of the month');
  await screen.findByText('1 of 2 left this month');
  expect(server.made(takeIt).map(({ body }) => body)).toEqual([{ request_id: expect.any(String) }]);
  await tap('Undo Bottle of the month');
  await screen.findByText('2 of 2 left this month');
  expect(server.made(voidIt).map(({ body }) => body)).toEqual([{}]);
});

test('a double tap takes one', async () => {
  const server = serve();
  open();
  await userEvent.dblClick(await screen.findByRole('button', { name: 'Take: Bottle of the month' }));
  await screen.findByText('1 of 2 left this month');
  expect(server.made(takeIt)).toHaveLength(1);
});

test('one that is used up cannot be taken, and undoing it later asks for a reason', async () => {
  const server = serve({ [bar]: () => ({ ...adaAtBar, benefits: taken(0) }) });
  open();
  const button = await screen.findByRole('button', { name: 'Take: Bottle of the month' });
  expect(button.hasAttribute('disabled') || button.getAttribute('aria-disabled') === 'true').toBe(true);
  await tap('Undo... Bottle of the month');
  await userEvent.type(await screen.findByLabelText('Reason'), 'Wrong bottle');
  await tap('Undo Benefit');
  await waitFor(() =>
    expect(server.made(voidIt).map(({ body }) => body)).toEqual([{ reason: 'Wrong bottle' }]),
  );
});

test('without access they are shown with the reason, and cannot be taken', async () => {
  serve({
    [bar]: () => ({
      ...{ ...adaAtBar, benefits: [BOTTLE], standing: 'paused', no_access_since: '2026-06-01' },
      ...{ pours_balance: 0, grants: [] },
    }),
  });
  open({ customer: { ...ada, pours_balance: 0 } });
  await screen.findByText('Not now: paused since 6/1/2026');
  screen.getByText('Bottle of the month');
  expect(screen.queryByRole('button', { name: /^Take/ })).toBeNull();
});

test('a guest sees none', async () => {
  serve();
  open({ guest_glass_id: id(9) });
  await screen.findByText(/Guest of/);
  expect(screen.queryByText('Bottle of the month')).toBeNull();
});

test('the server’s refusal is shown, and nothing is queued', async () => {
  serve({
    [takeIt]: () => refusal(409, 'BENEFIT_REFUSED', 'None is left.', { reason: 'used_up' }),
  });
  open();
  await tap('Take: Bottle of the month');
  await screen.findByText('Not taken: Bottle of the month');
  await screen.findByText('None is left.');
  expect(queueStore.get().entries).toEqual([]);
});

test('without an answer it waits on this device, counts there, and can be undone', async () => {
  serve({ [takeIt]: () => Promise.reject(new TypeError('offline')) });
  open();
  await tap('Take: Bottle of the month');
  await screen.findByText('Taken, waiting to be sent');
  await screen.findByText('1 of 2 left this month');
  expect(queueStore.get().entries).toMatchObject([
    { benefit_id: BOTTLE.id, words: BOTTLE.words, member: 'Ada Vine', staff_id: bruno.id, attempted: true },
  ]);
  expect(queueStore.get().pours).toEqual([]);
});

test('after the server failed, another tap sends the same request', async () => {
  let failed = false;
  const server = serve({
    [takeIt]: () => {
      if (failed) return { use_id: USE, repeated: true, benefits: taken(1) };
      failed = true;
      return refusal(500, 'INTERNAL_SERVER_ERROR', 'Sorry.');
    },
  });
  open();
  await tap('Take: Bottle of the month');
  await screen.findByText('Not taken: Bottle of the month');
  await tap('Take: Bottle of the month');
  await waitFor(() => expect(server.made(takeIt)).toHaveLength(2));
  const [first, second] = server.made(takeIt);
  expect(second?.body).toEqual(first?.body);
});

const use = (n: number, change: Partial<QueuedUse> = {}): QueuedUse => ({
  ...{ request_id: id(20 + n), customer_id: ada.id, benefit_id: BOTTLE.id, words: BOTTLE.words },
  ...{ member: 'Ada Vine', staff_id: bruno.id, staff: 'Bruno', queued_at: n, attempted: false },
  ...change,
});
const flush = (change = {}) =>
  flushQueue(bruno.id, {
    currentUserId: async () => bruno.id,
    voidPour: vi.fn(),
    voidUse: vi.fn(async () => ({ benefits: [BOTTLE] })),
    onSent: vi.fn(),
    onRefused: vi.fn(),
    ...change,
  });

test('the queue takes no more than is left, and sends each with its time', async () => {
  queueStore.noteBalance(ada.id, 7);
  const now = Date.now();
  expect(await queueUse(use(1, { queued_at: now - 1 }), [BOTTLE])).toBe('queued');
  expect(await queueUse(use(2, { queued_at: now }), [BOTTLE])).toBe('queued');
  expect(await queueUse(use(3), [BOTTLE])).toBe('beyond_balance');
  expect(waitingLabel(queueStore.get().entries)).toBe('2 benefits waiting');
  const server = serve();
  const onSent = vi.fn();
  expect(await flush({ onSent })).toBe('done');
  expect(server.made(takeIt).map(({ body }) => body.request_id)).toEqual([id(21), id(22)]);
  expect(Date.parse(String(server.made(takeIt)[0]?.body.taken_at))).toBeCloseTo(now, -5);
  expect(onSent).toHaveBeenCalledTimes(2);
  expect(queueStore.get().entries).toEqual([]);
  expect(queueStore.get().balances[ada.id]?.benefits).toMatchObject([{ left: 1 }, {}]);
});

test('one undone after it was sent without an answer is confirmed, then undone there', async () => {
  await queueUse(use(1, { attempted: true }), [BOTTLE]);
  await withdrawQueued(id(21));
  serve();
  const voidUse = vi.fn(async () => ({ benefits: [BOTTLE] }));
  onTestFinished(() => queueStore.remove(id(21)));
  expect(await flush({ voidUse })).toBe('done');
  expect(voidUse).toHaveBeenCalledWith(USE);
  expect(queueStore.get().entries).toEqual([]);
});

test('one refused later stays with the reason', async () => {
  await queueUse(use(1), [BOTTLE]);
  serve({ [takeIt]: () => refusal(409, 'BENEFIT_REFUSED', 'None is left.', { reason: 'used_up' }) });
  const onRefused = vi.fn();
  expect(await flush({ onRefused })).toBe('done');
  expect(onRefused).toHaveBeenCalledWith(expect.objectContaining({ words: BOTTLE.words }), 'None is left.');
  expect(queueStore.get().entries).toMatchObject([{ refused: 'None is left.' }]);
});
