import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_POUR_QUANTITY } from '../../../src/domain/pour.ts';
import { noteServerTime } from '../../../src/web/api/server-clock.ts';
import { matching, seenMembers } from '../../../src/web/staff/offline/seen-members.ts';
import type { FlushContext } from '../../../src/web/staff/offline-queue/flush-queue.ts';
import { flushQueue } from '../../../src/web/staff/offline-queue/flush-queue.ts';
import { localBalance, queuePour, withdrawQueued } from '../../../src/web/staff/offline-queue/queue.ts';
import { queueStore } from '../../../src/web/staff/offline-queue/queue-store.ts';
import type { QueuedPour } from '../../../src/web/staff/offline-queue/queued-pour.ts';
import {
  balanceAfterQueue,
  inOrder,
  parseQueued,
  refusedLabel,
  retryDelay,
  waitingLabel,
} from '../../../src/web/staff/offline-queue/queued-pour.ts';
import { startSyncLoop } from '../../../src/web/staff/offline-queue/sync-loop.ts';
import type { Answer } from '../../support/web/staff-app.tsx';
import { ada, bruno, recorded, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

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
  queueStore.fresh();
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('rules', () => {
  test('pours are sent in the order poured, whatever the stored order', () => {
    const [a, b, c] = [pour(1), pour(2), pour(3)];
    expect(inOrder([c, a, b])).toEqual([a, b, c]);
  });

  test('pours of one moment keep one order, by their request', () => {
    const [a, b] = [pour(1), pour(2, { queued_at: 1 })];
    expect(inOrder([b, a])).toEqual(inOrder([a, b]));
  });

  test('the local balance is the server’s, less pours queued for this member; refused and withdrawn ones do not count', () => {
    const waiting = [
      pour(1, { quantity: 2 }),
      pour(2, { staff_id: id(90) }),
      pour(3, { customer_id: id(91) }),
      pour(4, { refused: 'no' }),
      pour(5, { withdrawn: true }),
    ];
    expect(balanceAfterQueue(7, ada.id, waiting)).toBe(4);
    expect(balanceAfterQueue(2, ada.id, waiting)).toBe(0);
  });

  test('retries slow down, to one every thirty seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 40].map(retryDelay)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
  });

  test('labels count glasses, and name the members of refused pours', () => {
    expect(waitingLabel([pour(1)])).toBe('1 pour waiting');
    expect(waitingLabel([pour(1), pour(2, { quantity: 2 })])).toBe('3 pours waiting');
    const other = pour(3, { member: 'Bo Hill' });
    expect(refusedLabel([pour(1), pour(2)])).toBe('Not recorded: Ada Vine');
    expect(refusedLabel([pour(1), other])).toBe('Not recorded: Ada Vine and 1 more');
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'pour'],
    ['a pour without a member', { ...pour(1), member: undefined }],
    ['zero glasses', pour(1, { quantity: 0 })],
    ['more glasses than one pour may have', pour(1, { quantity: MAX_POUR_QUANTITY + 1 })],
    ['half a glass', pour(1, { quantity: 0.5 })],
    ['an unknown place', { ...pour(1), location: 'the roof' }],
  ])('%s is not a pour', (_name, value) => {
    expect(parseQueued(value)).toBeNull();
    expect(parseQueued(pour(1))).toEqual(pour(1));
  });

  test('a wine, a time or an offer of water that cannot be read is left out, and the glass is kept', () => {
    const details = { wine_id: id(60), poured_at: '2026-08-11T21:50:00.000Z', offered_water: true };
    expect(parseQueued({ ...pour(1), ...details })).toEqual({ ...pour(1), ...details });
    const unreadable = { wine_id: 'riesling', poured_at: 'last night', offered_water: 'yes' };
    expect(parseQueued({ ...pour(1), ...unreadable })).toEqual(pour(1));
  });
});

describe('the queue on this device', () => {
  test('stops at the last known balance, whoever records', async () => {
    queueStore.noteBalance(ada.id, 2);
    expect(await queuePour(pour(1), 7)).toBe('queued');
    expect(await queuePour(pour(2, { staff_id: id(90) }), 7)).toBe('queued');
    expect(await queuePour(pour(3), 7)).toBe('beyond_balance');
    expect(localBalance(ada.id, 7)).toBe(0);
  });

  test('uses the balance on the page if the server never sent one', async () => {
    expect(await queuePour(pour(1, { quantity: 2 }), 1)).toBe('beyond_balance');
    expect(await queuePour(pour(1), 1)).toBe('queued');
  });

  test('a guest’s glass is no part of the balance, which it was taken from when it was given', async () => {
    const guest = { guest_glass_id: id(70) };
    expect(await queuePour(pour(1, guest), 0)).toBe('queued');
    expect(localBalance(ada.id, 0)).toBe(0);
    expect(await queuePour(pour(2, { ...guest, quantity: 2 }), 0)).toBe('beyond_balance');
    expect(await queuePour(pour(3), 0)).toBe('beyond_balance');
    expect(await queuePour(pour(4), 1)).toBe('queued');
  });

  test('the same request is queued once', async () => {
    await queuePour(pour(1), 7);
    expect(await queuePour(pour(1), 7)).toBe('queued');
    expect(queueStore.get().pours).toHaveLength(1);
  });

  test('an older balance does not replace a newer one', () => {
    queueStore.noteBalance(ada.id, 3, 200);
    queueStore.noteBalance(ada.id, 7, 100);
    expect(localBalance(ada.id, 9)).toBe(3);
  });

  test('a balance from a clock that was ahead gives way to the next report, and is not kept', () => {
    queueStore.noteBalance(ada.id, 0, Date.now() + 86_400_000 * 30);
    queueStore.noteBalance(id(50), 4, Date.now() + 86_400_000 * 30);
    queueStore.noteBalance(ada.id, 7);
    expect(localBalance(ada.id, 9)).toBe(7);
    expect(Object.keys(queueStore.fresh().balances)).toEqual([ada.id]);
  });

  test('survives a reload, and skips what it cannot read', async () => {
    await queuePour(pour(1), 7);
    localStorage.setItem('cellar-door:pour:broken', '{');
    expect(queueStore.fresh().pours).toEqual([pour(1)]);
  });

  test('shows what another tab queued, once the browser says so', () => {
    const noticed = vi.fn();
    onTestFinished(queueStore.subscribe(noticed));
    const changeElsewhere = (key: string) => {
      localStorage.setItem(key, JSON.stringify(pour(1)));
      window.dispatchEvent(new StorageEvent('storage', { key }));
    };
    changeElsewhere('another program');
    expect(noticed).not.toHaveBeenCalled();
    changeElsewhere(`cellar-door:pour:${id(1)}`);
    expect(noticed).toHaveBeenCalledOnce();
    expect(queueStore.get().pours).toEqual([pour(1)]);
  });

  test('does not queue a pour when storage is full, and tells the caller', async () => {
    vi.spyOn(queueStore, 'save').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(await queuePour(pour(1), 7)).toBe('storage_full');
  });

  test('undone before the first attempt, a pour is removed; afterwards it is marked as withdrawn', async () => {
    await queuePour(pour(1), 7);
    await queuePour(pour(2, { attempted: true }), 7);
    expect(await withdrawQueued(id(1))).toBe(true);
    expect(await withdrawQueued(id(2))).toBe(true);
    expect(await withdrawQueued(id(3))).toBe(false);
    const refused = pour(4, { attempted: true, refused: 'no' });
    queueStore.save(refused);
    expect(await withdrawQueued(id(4))).toBe(false);
    expect(queueStore.get().pours.at(-1)).toEqual(refused);
    queueStore.remove(id(4));
    expect(queueStore.get().pours).toEqual([pour(2, { attempted: true, withdrawn: true })]);
    expect(localBalance(ada.id, 7)).toBe(7);
  });
});

describe('sending', () => {
  const record = 'POST /api/pours';
  const context = (change: Partial<FlushContext> = {}) => ({
    currentUserId: vi.fn(async () => bruno.id as string | null),
    voidPour: vi.fn(async () => ({ pours_balance: 7 })),
    voidUse: vi.fn(async () => ({ benefits: [] })),
    onSent: vi.fn(),
    onRefused: vi.fn(),
    onPaid: vi.fn(),
    onUnpaid: vi.fn(),
    ...change,
  });
  const serve = (answer: Answer) => stubStaffServer({ [record]: answer });
  const ids = (server: ReturnType<typeof serve>) => server.made(record).map(({ body }) => body.request_id);
  const queue = async (...pours: QueuedPour[]) => {
    for (const each of pours) await queuePour(each, 20);
  };

  test('sends each once, in order, with its own request id; then the queue is empty', async () => {
    await queue(pour(2), pour(1), pour(3));
    const server = serve(() => recorded(6));
    const flush = context();
    expect(await flushQueue(bruno.id, flush)).toBe('done');
    expect(ids(server)).toEqual([id(1), id(2), id(3)]);
    expect(server.made(record)[0]?.body).toEqual({
      request_id: id(1),
      customer_id: ada.id,
      quantity: 1,
      location: 'bar',
    });
    expect(queueStore.get().pours).toEqual([]);
    expect(flush.onSent).toHaveBeenCalledTimes(3);
    expect(localBalance(ada.id, 20)).toBe(6);
  });

  test('each carries the time it was poured by the server’s clock, also on a device that is hours off', async () => {
    const now = Date.parse('2026-08-12T09:00:00Z');
    const device = now + 3 * 3_600_000;
    vi.useFakeTimers({ now: device, toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
      noteServerTime(new Date().toUTCString());
    });
    noteServerTime(new Date(now).toUTCString());
    const known = pour(2, { poured_at: '2026-08-11T21:50:00.000Z', queued_at: device - 60_000 });
    await queue(
      pour(1, { queued_at: device - 3_600_000 }),
      known,
      pour(3, { queued_at: device + 3_600_000 }),
    );
    const server = serve(() => recorded(6));
    await flushQueue(bruno.id, context());
    expect(server.made(record).map(({ body }) => body.poured_at)).toEqual([
      '2026-08-12T08:00:00.000Z',
      '2026-08-11T21:50:00.000Z',
      undefined,
    ]);
  });

  test('a pour whose time the server refuses is recorded without it', async () => {
    await queue(pour(1, { queued_at: Date.now() }));
    const server = serve(({ body }) =>
      body.poured_at ? refusal(422, 'POUR_TIME_REFUSED', 'Too long ago.') : recorded(6),
    );
    const flush = context();
    expect(await flushQueue(bruno.id, flush)).toBe('done');
    expect(server.made(record)).toHaveLength(2);
    expect(flush.onSent).toHaveBeenCalledOnce();
  });

  test('stops when the network fails, and keeps the order', async () => {
    await queue(pour(1), pour(2));
    const server = serve(() => Promise.reject(new TypeError('offline')));
    expect(await flushQueue(bruno.id, context())).toBe('retry');
    expect(ids(server)).toEqual([id(1)]);
    expect(queueStore.get().pours.map((it) => it.attempted)).toEqual([true, false]);
  });

  test('a pour over the rate limit waits, and is not reported as refused', async () => {
    await queue(pour(1), pour(2));
    const server = serve(() => refusal(429, 'TOO_MANY_ATTEMPTS', 'Wait.', { retry_after_seconds: 9 }));
    const flush = context();
    expect(await flushQueue(bruno.id, flush)).toBe('retry');
    expect(ids(server)).toEqual([id(1)]);
    expect(queueStore.get().pours).toHaveLength(2);
    expect(flush.onRefused).not.toHaveBeenCalled();
  });

  test('a server error over one pour does not hold up the others', async () => {
    await queue(pour(1), pour(2));
    const server = serve(({ body }) =>
      body.request_id === id(1) ? new Response('broken', { status: 500 }) : recorded(6),
    );
    expect(await flushQueue(bruno.id, context())).toBe('retry');
    expect(ids(server)).toEqual([id(1), id(2)]);
    expect(queueStore.get().pours.map((it) => it.request_id)).toEqual([id(1)]);
  });

  test('a refused pour is reported by name, stays, is not sent again, and does not stop the next', async () => {
    await queue(pour(1), pour(2));
    const server = serve(({ body }) =>
      body.request_id === id(1)
        ? refusal(409, 'POURS_EXCEEDED', 'Not enough.', { available_pours: 0 })
        : recorded(6),
    );
    const flush = context();
    expect(await flushQueue(bruno.id, flush)).toBe('done');
    const reason = 'Only 0 pours available in current billing period';
    expect(flush.onRefused).toHaveBeenCalledWith(expect.objectContaining({ member: 'Ada Vine' }), reason);
    expect(queueStore.fresh().pours).toEqual([pour(1, { attempted: true, refused: reason })]);
    await flushQueue(bruno.id, flush);
    expect(ids(server)).toEqual([id(1), id(2)]);
  });

  test('a refusal for want of pours says how many there are, and the next pour is judged by it', async () => {
    await queue(pour(1, { quantity: 3 }));
    serve(() => refusal(409, 'POURS_EXCEEDED', 'Not enough.', { available_pours: 2 }));
    await flushQueue(bruno.id, context());
    expect(localBalance(ada.id, 20)).toBe(2);
  });

  test('undone while it was being sent, and refused: nothing is reported or kept', async () => {
    await queue(pour(1));
    serve(async () => {
      await withdrawQueued(id(1));
      return refusal(409, 'POURS_EXCEEDED', 'Not enough.', { available_pours: 0 });
    });
    const flush = context();
    expect(await flushQueue(bruno.id, flush)).toBe('done');
    expect(flush.onRefused).not.toHaveBeenCalled();
    expect(flush.voidPour).not.toHaveBeenCalled();
    expect(queueStore.get().pours).toEqual([]);
  });

  test.each<[string, (string | null)[], number]>([
    ['another user', [id(90)], 0],
    ['no user', [null], 0],
    ['another user after the first pour', [bruno.id, id(90)], 1],
    ['no user after the first pour', [bruno.id, null], 1],
  ])('sending stops with %s signed in', async (_name, users, sent) => {
    await queue(pour(1), pour(2));
    const server = serve(() => recorded(6));
    const signedIn = users.values();
    const currentUserId = async () => signedIn.next().value ?? null;
    expect(await flushQueue(bruno.id, context({ currentUserId }))).toBe('stopped');
    expect(ids(server)).toEqual([id(1)].slice(0, sent));
    expect(queueStore.get().pours).toHaveLength(2 - sent);
  });

  test.each<[string, Answer]>([
    ['the session has ended', () => refusal(401, 'NOT_SIGNED_IN', 'Please sign in.')],
    ['two-step sign-in is missing', () => refusal(403, 'TWO_FACTOR_REQUIRED', 'Please set it up.')],
    [
      'a portal answers with its page',
      () => new Response('<html>Sign in</html>', { status: 403, headers: { 'content-type': 'text/html' } }),
    ],
    [
      'a portal answers with its status',
      () => new Response('<html>Sign in</html>', { status: 511, headers: { 'content-type': 'text/html' } }),
    ],
    ['a proxy refuses in words of its own', () => Response.json({ error: 'blocked' }, { status: 403 })],
    ['a proxy refuses without a word', () => new Response(null, { status: 407 })],
  ])('a pour waits while %s: only our server refuses it, and for its own sake', async (_when, answer) => {
    await queue(pour(1), pour(2));
    const server = serve(answer);
    const flush = context();
    expect(await flushQueue(bruno.id, flush)).toBe('retry');
    expect(ids(server)).toEqual([id(1)]);
    expect(flush.onRefused).not.toHaveBeenCalled();
    server.answers[record] = () => recorded(6);
    expect(await flushQueue(bruno.id, flush)).toBe('done');
    expect(queueStore.get().pours).toEqual([]);
  });

  test("another user's pours are left alone", async () => {
    await queue(pour(1, { staff_id: id(90) }));
    const server = serve(() => recorded(6));
    expect(await flushQueue(bruno.id, context())).toBe('done');
    expect(server.made(record)).toEqual([]);
    expect(queueStore.get().pours).toHaveLength(1);
  });

  test('undone while it was being sent: recorded, then voided', async () => {
    await queue(pour(1));
    serve(async () => {
      await withdrawQueued(id(1));
      return recorded(6);
    });
    const flush = context();
    expect(await flushQueue(bruno.id, flush)).toBe('done');
    expect(flush.voidPour).toHaveBeenCalledWith(recorded(6).pour.id);
    expect(flush.onSent).not.toHaveBeenCalled();
    expect(queueStore.get().pours).toEqual([]);
    expect(localBalance(ada.id, 20)).toBe(7);
  });

  test('a void that fails is tried again', async () => {
    await queue(pour(1, { attempted: true, withdrawn: true }));
    serve(() => recorded(6));
    const failing = context({ voidPour: () => Promise.reject(new TypeError('offline')) });
    expect(await flushQueue(bruno.id, failing)).toBe('retry');
    expect(queueStore.get().pours).toHaveLength(1);
    expect(await flushQueue(bruno.id, context())).toBe('done');
    expect(queueStore.get().pours).toEqual([]);
  });

  describe('in the background', () => {
    let stop: () => void = () => undefined;
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      stop();
      vi.useRealTimers();
    });

    test('pours queued before a reload are sent at once, later ones a moment after they are queued', async () => {
      await queue(pour(1));
      const server = serve(() => recorded(6));
      stop = startSyncLoop(bruno.id, context());
      await vi.advanceTimersByTimeAsync(0);
      expect(ids(server)).toEqual([id(1)]);
      await queue(pour(2));
      await vi.advanceTimersByTimeAsync(1_000);
      expect(ids(server)).toEqual([id(1), id(2)]);
    });

    test('sends every half minute although the browser says that it is offline, and once the server reports', async () => {
      vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
      const server = serve(() => recorded(6));
      stop = startSyncLoop(bruno.id, context());
      await queue(pour(1));
      await vi.advanceTimersByTimeAsync(29_999);
      expect(ids(server)).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(ids(server)).toEqual([id(1)]);
      await queue(pour(2));
      await vi.advanceTimersByTimeAsync(1_000);
      queueStore.noteBalance(ada.id, 9);
      await vi.advanceTimersByTimeAsync(0);
      expect(ids(server)).toEqual([id(1), id(2)]);
    });

    test('sends at once when the page is shown again, and not while it is hidden', async () => {
      await queue(pour(1));
      const server = serve(() => Promise.reject(new TypeError('offline')));
      stop = startSyncLoop(bruno.id, context());
      await vi.advanceTimersByTimeAsync(0);
      const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
      document.dispatchEvent(new Event('visibilitychange'));
      await vi.advanceTimersByTimeAsync(0);
      expect(ids(server)).toHaveLength(1);
      hidden.mockReturnValue(false);
      document.dispatchEvent(new Event('visibilitychange'));
      await vi.advanceTimersByTimeAsync(0);
      expect(ids(server)).toHaveLength(2);
    });

    test('of two tabs one sends at a time, so each pour is sent once', async () => {
      const turns = new Map<string, Promise<unknown>>();
      const request = (name: string, work: () => Promise<unknown>) => {
        const turn = (turns.get(name) ?? Promise.resolve()).then(work);
        turns.set(name, turn);
        return turn;
      };
      Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
      onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
      await queue(pour(1), pour(2));
      const server = serve(() => recorded(6));
      const stops = [1, 2].map(() => startSyncLoop(bruno.id, context()));
      stop = () => stops.map((each) => each());
      await vi.advanceTimersByTimeAsync(0);
      expect(ids(server)).toEqual([id(1), id(2)]);
    });

    test('sends nothing by itself once another user has signed in', async () => {
      await queue(pour(1));
      const server = serve(() => recorded(6));
      const currentUserId = vi.fn(async () => id(90));
      stop = startSyncLoop(bruno.id, context({ currentUserId }));
      await vi.advanceTimersByTimeAsync(120_000);
      expect(currentUserId).toHaveBeenCalledOnce();
      expect(ids(server)).toEqual([]);
    });

    test('waits longer after each failure, and sends at once when the network is back', async () => {
      await queue(pour(1));
      const server = serve(() => Promise.reject(new TypeError('offline')));
      stop = startSyncLoop(bruno.id, context());
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

describe('members saved on this device', () => {
  const HOUR = 3_600_000;
  const named = (first_name: string) => ({ first_name, last_name: 'Vine', tier: 'elite' });

  test('the last one first, with the balance less queued pours; a balance without a name is left out', () => {
    const now = Date.now();
    queueStore.noteBalance(id(1), 5, now - 2 * HOUR, named('Ada'));
    queueStore.noteBalance(id(2), 4, now - HOUR, named('Berta'));
    queueStore.noteBalance(id(3), 9, now);
    queueStore.save(pour(10, { customer_id: id(1), quantity: 2 }));
    expect(seenMembers(queueStore.fresh())).toEqual([
      { id: id(2), ...named('Berta'), pours_balance: 4, at: now - HOUR },
      { id: id(1), ...named('Ada'), pours_balance: 3, at: now - 2 * HOUR },
    ]);
  });

  test('a later balance keeps the name, and an older report only adds a missing name', () => {
    const now = Date.now();
    queueStore.noteBalance(id(1), 5, now - HOUR, named('Ada'));
    queueStore.noteBalance(id(1), 4, now);
    queueStore.noteBalance(id(1), 9, now - 2 * HOUR, named('Somebody'));
    queueStore.noteBalance(id(2), 4, now);
    queueStore.noteBalance(id(2), 9, now - HOUR, named('Berta'));
    const shown = seenMembers(queueStore.fresh()).map((it) => [it.first_name, it.pours_balance]);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['Ada', 4],
        ['Berta', 4],
      ]),
    );
    expect(shown).toHaveLength(2);
  });

  test('expire after a day, and beyond two hundred the oldest go first', () => {
    const now = Date.now();
    queueStore.noteBalance(id(1), 5, now - 25 * HOUR, named('Ada'));
    queueStore.noteBalance(id(2), 5, now - 2 * HOUR, named('Berta'));
    for (let nth = 0; nth < 201; nth += 1)
      queueStore.noteBalance(`c${nth}`, 1, now - HOUR + nth, named('Many'));
    const kept = seenMembers(queueStore.fresh());
    expect(kept.map(({ first_name }) => first_name)).not.toContain('Ada');
    expect(kept.map(({ first_name }) => first_name)).not.toContain('Berta');
    expect(kept.length).toBeLessThanOrEqual(201);
  });

  test('are found by any part of the name, in any case', () => {
    queueStore.noteBalance(id(1), 5, Date.now(), named('Ada'));
    const members = seenMembers(queueStore.fresh());
    expect(matching(members, ' A VI ').map((it) => it.first_name)).toEqual(['Ada']);
    expect(matching(members, '')).toHaveLength(1);
    expect(matching(members, 'berta')).toEqual([]);
  });
});
