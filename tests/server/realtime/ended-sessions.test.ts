import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../../../src/server/db/client.ts';
import type { ListenHandlers } from '../../../src/server/db/listen.ts';
import { type MemberEvents, openMemberEvents } from '../../../src/server/realtime/member-events.ts';

// docs/decisions/0019-ended-sessions.md

const MINUTE = 60_000;
const session = { session_id: 'session-1', user: { id: 'user-1' } };

let heard: ListenHandlers;
let live: MemberEvents;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const listen = async (_channel: string, handlers: ListenHandlers) => {
    heard = handlers;
    return { close: async () => undefined };
  };
  // Nothing is asked of the database while no page is open.
  live = await openMemberEvents({ listen, notify: async () => undefined, db: {} as Db }, 'this process');
});
afterEach(async () => {
  await live.close();
  vi.useRealTimers();
});

test('a session announced as ended is checked for longer than its copy in a cookie is valid', () => {
  expect(live.mayHaveEnded(session)).toBe(false);
  heard.message('session session-1');
  expect(live.mayHaveEnded(session)).toBe(true);
  expect(live.mayHaveEnded({ ...session, session_id: 'session-2' })).toBe(false);
  vi.advanceTimersByTime(1.5 * MINUTE);
  expect(live.mayHaveEnded(session)).toBe(true);
  vi.advanceTimersByTime(MINUTE);
  expect(live.mayHaveEnded(session)).toBe(false);
});

test('after announcements may have been missed, every session is checked for as long', () => {
  heard.missed();
  expect(live.mayHaveEnded(session)).toBe(true);
  vi.advanceTimersByTime(1.5 * MINUTE);
  // Missed again: the time begins anew.
  heard.missed();
  vi.advanceTimersByTime(1.5 * MINUTE);
  expect(live.mayHaveEnded(session)).toBe(true);
  vi.advanceTimersByTime(MINUTE);
  expect(live.mayHaveEnded(session)).toBe(false);
});

test('while no announcement can arrive, as behind a transaction pooler, every session is checked', () => {
  heard.deaf(true);
  vi.advanceTimersByTime(10 * MINUTE);
  expect(live.mayHaveEnded(session)).toBe(true);
  heard.deaf(false);
  expect(live.mayHaveEnded(session)).toBe(false);
});
