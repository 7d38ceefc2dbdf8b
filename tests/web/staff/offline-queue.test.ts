import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SendingEvents } from '../../../src/web/staff/offline-queue/flush-queue.ts';
import { flushQueue } from '../../../src/web/staff/offline-queue/flush-queue.ts';
import { leftOnDevice, queuePour, withdrawQueued } from '../../../src/web/staff/offline-queue/queue.ts';
import { queueStore } from '../../../src/web/staff/offline-queue/queue-store.ts';
import type { QueuedPour } from '../../../src/web/staff/offline-queue/queued-pour.ts';
import {
  glassesLeft,
  inOrder,
  parseQueuedPour,
  refusedWords,
  waitBeforeTry,
  waitingWords,
} from '../../../src/web/staff/offline-queue/queued-pour.ts';
import { startSyncLoop } from '../../../src/web/staff/offline-queue/sync-loop.ts';
import type { Answer } from '../../support/web/staff-app.tsx';
import { ada, bruno, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const id = (n: number) => `0197b1f0-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`;
const pour = (n: number, change: Partial<QueuedPour> = {}): QueuedPour => ({
  request_id: id(n),
  customer_id: ada.id,
  quantity: 1,
  location: 'bar',
  member: 'Ada Vine',
  staff_id: bruno.id,
  staff: 'Bruno',
  queued_at: n,
  attempted: false,
  ...change,
});

beforeEach(() => {
  localStorage.clear();
  queueStore.fresh();
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('rules', () => {
  test('first poured, first sent, whatever the order it is kept in', () => {
    const [a, b, c] = [pour(1), pour(2), pour(3)];
    expect(inOrder([c, a, b])).toEqual([a, b, c]);
  });

  test('what is left: told, less what waits for this member; neither refused nor taken back counts', () => {
    const waiting = [
      pour(1, { quantity: 2 }),
      pour(2, { staff_id: id(90) }),
      pour(3, { customer_id: id(91) }),
      pour(4, { refused: 'no' }),
      pour(5, { withdrawn: true }),
    ];
    expect(glassesLeft(7, ada.id, waiting)).toBe(4);
    expect(glassesLeft(2, ada.id, waiting)).toBe(0);
  });

  test('tries come ever less often, but never less than twice a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 40].map(waitBeforeTry)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
  });

  test('words', () => {
    expect(waitingWords([pour(1)])).toBe('1 pour waiting');
    expect(waitingWords([pour(1), pour(2, { quantity: 2 })])).toBe('3 pours waiting');
    const other = pour(3, { member: 'Bo Hill' });
    expect(refusedWords([pour(1), pour(2)])).toBe('Not recorded: Ada Vine');
    expect(refusedWords([pour(1), other])).toBe('Not recorded: Ada Vine and 1 more');
  });

  test.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'pour'],
    ['no member', { ...pour(1), member: undefined }],
    ['no glass', pour(1, { quantity: 0 })],
    ['half a glass', pour(1, { quantity: 0.5 })],
    ['an unknown place', { ...pour(1), location: 'roof' }],
  ])('%s is not a pour', (_name, value) => {
    expect(parseQueuedPour(value)).toBeNull();
    expect(parseQueuedPour(pour(1))).toEqual(pour(1));
  });
});

describe('the queue of the device', () => {
  test('stops at the last known balance, whoever poured', async () => {
    queueStore.noteTold(ada.id, 2);
    expect(await queuePour(pour(1), 7)).toBe('waits');
    expect(await queuePour(pour(2, { staff_id: id(90) }), 7)).toBe('waits');
    expect(await queuePour(pour(3), 7)).toBe('beyond_balance');
    expect(leftOnDevice(ada.id, 7)).toBe(0);
  });

  test('without a word of the server, what the page saw counts', async () => {
    expect(await queuePour(pour(1, { quantity: 2 }), 1)).toBe('beyond_balance');
    expect(await queuePour(pour(1), 1)).toBe('waits');
  });

  test('the same request waits once', async () => {
    await queuePour(pour(1), 7);
    expect(await queuePour(pour(1), 7)).toBe('waits');
    expect(queueStore.get().pours).toHaveLength(1);
  });

  test('an older word does not replace a newer one', () => {
    queueStore.noteTold(ada.id, 3, 200);
    queueStore.noteTold(ada.id, 7, 100);
    expect(leftOnDevice(ada.id, 9)).toBe(3);
  });

  test('outlives a reload, and leaves alone what it cannot read', async () => {
    await queuePour(pour(1), 7);
    localStorage.setItem('cellar-door:pour:broken', '{');
    expect(queueStore.fresh().pours).toEqual([pour(1)]);
  });

  test('without room a pour does not wait, and nobody is told that it does', async () => {
    vi.spyOn(queueStore, 'keep').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(await queuePour(pour(1), 7)).toBe('no_room');
  });

  test('taken back before it went out, it is forgotten; afterwards it has to be settled first', async () => {
    await queuePour(pour(1), 7);
    await queuePour(pour(2, { attempted: true }), 7);
    expect(await withdrawQueued(id(1))).toBe(true);
    expect(await withdrawQueued(id(2))).toBe(true);
    expect(await withdrawQueued(id(3))).toBe(false);
    expect(queueStore.get().pours).toEqual([pour(2, { attempted: true, withdrawn: true })]);
    expect(leftOnDevice(ada.id, 7)).toBe(7);
  });
});

describe('sending', () => {
  const record = 'POST /api/pours';
  const recorded = (pours_balance: number) => ({
    pour: {
      id: id(70),
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
  const events = (change: Partial<SendingEvents> = {}) => ({
    signedIn: vi.fn(async () => bruno.id as string | null),
    takeBack: vi.fn(async () => ({ pours_balance: 7 })),
    onSent: vi.fn(),
    onRefused: vi.fn(),
    ...change,
  });
  const serve = (answer: Answer) => stubStaffServer({ [record]: answer });
  const ids = (server: ReturnType<typeof serve>) => server.made(record).map(({ body }) => body.request_id);
  const queue = async (...pours: QueuedPour[]) => {
    for (const each of pours) await queuePour(each, 20);
  };

  test('each once, in order, with its own request; then nothing waits', async () => {
    await queue(pour(2), pour(1), pour(3));
    const server = serve(() => recorded(6));
    const told = events();
    expect(await flushQueue(bruno.id, told)).toBe('done');
    expect(ids(server)).toEqual([id(1), id(2), id(3)]);
    expect(server.made(record)[0]?.body).toEqual({
      request_id: id(1),
      customer_id: ada.id,
      quantity: 1,
      location: 'bar',
    });
    expect(queueStore.get().pours).toEqual([]);
    expect(told.onSent).toHaveBeenCalledTimes(3);
    expect(leftOnDevice(ada.id, 20)).toBe(6);
  });

  test('stops where the network stops, and keeps the order', async () => {
    await queue(pour(1), pour(2));
    const server = serve(() => Promise.reject(new TypeError('offline')));
    expect(await flushQueue(bruno.id, events())).toBe('again');
    expect(ids(server)).toEqual([id(1)]);
    expect(queueStore.get().pours.map((it) => it.attempted)).toEqual([true, false]);
  });

  test('a server that stumbles over one pour does not hold up the others', async () => {
    await queue(pour(1), pour(2));
    const server = serve(({ body }) =>
      body.request_id === id(1) ? new Response('broken', { status: 500 }) : recorded(6),
    );
    expect(await flushQueue(bruno.id, events())).toBe('again');
    expect(ids(server)).toEqual([id(1), id(2)]);
    expect(queueStore.get().pours.map((it) => it.request_id)).toEqual([id(1)]);
  });

  test('a refusal comes back by name, stays, is not sent again, and does not stop the next', async () => {
    await queue(pour(1), pour(2));
    const server = serve(({ body }) =>
      body.request_id === id(1)
        ? refusal(409, 'POURS_EXCEEDED', 'Not enough.', { available_pours: 0 })
        : recorded(6),
    );
    const told = events();
    expect(await flushQueue(bruno.id, told)).toBe('done');
    const why = 'Only 0 pours available in current billing period';
    expect(told.onRefused).toHaveBeenCalledWith(expect.objectContaining({ member: 'Ada Vine' }), why);
    expect(queueStore.fresh().pours).toEqual([pour(1, { attempted: true, refused: why })]);
    await flushQueue(bruno.id, told);
    expect(ids(server)).toEqual([id(1), id(2)]);
  });

  test.each<[string, string | null]>([
    ['somebody else', id(90)],
    ['nobody', null],
  ])('nothing goes out while %s is signed in', async (_name, user) => {
    await queue(pour(1));
    const server = serve(() => recorded(6));
    expect(await flushQueue(bruno.id, events({ signedIn: async () => user }))).toBe('stopped');
    expect(server.made(record)).toEqual([]);
  });

  test("another person's pours are left alone", async () => {
    await queue(pour(1, { staff_id: id(90) }));
    const server = serve(() => recorded(6));
    expect(await flushQueue(bruno.id, events())).toBe('done');
    expect(server.made(record)).toEqual([]);
    expect(queueStore.get().pours).toHaveLength(1);
  });

  test('taken back while it was on its way: recorded, then voided', async () => {
    await queue(pour(1));
    serve(async () => {
      await withdrawQueued(id(1));
      return recorded(6);
    });
    const told = events();
    expect(await flushQueue(bruno.id, told)).toBe('done');
    expect(told.takeBack).toHaveBeenCalledWith(id(70));
    expect(told.onSent).not.toHaveBeenCalled();
    expect(queueStore.get().pours).toEqual([]);
    expect(leftOnDevice(ada.id, 20)).toBe(7);
  });

  test('a taking back that fails is tried again', async () => {
    await queue(pour(1, { attempted: true, withdrawn: true }));
    serve(() => recorded(6));
    const failing = events({ takeBack: () => Promise.reject(new TypeError('offline')) });
    expect(await flushQueue(bruno.id, failing)).toBe('again');
    expect(queueStore.get().pours).toHaveLength(1);
    expect(await flushQueue(bruno.id, events())).toBe('done');
    expect(queueStore.get().pours).toEqual([]);
  });

  describe('by itself', () => {
    let stop: () => void = () => undefined;
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      stop();
      vi.useRealTimers();
    });

    test('what was kept before a reload goes out at once, what is queued later a moment after', async () => {
      await queue(pour(1));
      const server = serve(() => recorded(6));
      stop = startSyncLoop(bruno.id, events());
      await vi.advanceTimersByTimeAsync(0);
      expect(ids(server)).toEqual([id(1)]);
      await queue(pour(2));
      await vi.advanceTimersByTimeAsync(1_000);
      expect(ids(server)).toEqual([id(1), id(2)]);
    });

    test('waits longer after each failure, and not at all once the network says that it is back', async () => {
      await queue(pour(1));
      const server = serve(() => Promise.reject(new TypeError('offline')));
      stop = startSyncLoop(bruno.id, events());
      await vi.advanceTimersByTimeAsync(0);
      await vi.advanceTimersByTimeAsync(1_999);
      expect(ids(server)).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(ids(server)).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(3_999);
      expect(ids(server)).toHaveLength(2);
      server.answers[record] = () => recorded(6);
      window.dispatchEvent(new Event('online'));
      await vi.advanceTimersByTimeAsync(0);
      expect(ids(server)).toHaveLength(3);
      expect(queueStore.get().pours).toEqual([]);
    });
  });
});
