import { MEMBER_EVENTS, type MemberEvent } from '../../contract/member-events.ts';
import type { OpenDatabase } from '../db/client.ts';

const CHANNEL = 'member_changed';
/** More than anybody has screens; the oldest gives way, as it may be a connection that died unnoticed. */
export const MAX_STREAMS = 12;
/** After this a stream ends and is opened again, which asks anew whether the session is still good. */
const LIFE_MS = 10 * 60_000;
/** What may have gone by unheard. A deleted account is noticed without it, as its session ends. */
const LOOK_AGAIN: MemberEvent[] = ['pours', 'membership'];
/** Longer than any copy of a session is believed (SESSION_COPY_SECONDS in auth.ts). */
const REMEMBER_GONE_MS = 2 * 60_000;

type End = 'replaced' | undefined;
type Step = IteratorResult<MemberEvent, End>;

/** What a member's open screen is told, and what wakes it. */
export interface MemberEvents {
  /** The changes of that user from now on. Ends after some minutes, when replaced, and at shutdown. */
  changesOf(userId: string): AsyncIteratorObject<MemberEvent, End>;
  /** The account was deleted a moment ago: a signed copy of a session may still say otherwise. */
  isGone(userId: string): boolean;
  close(): Promise<void>;
}

/** One open screen. Changes that nobody has fetched yet are kept once each, so it cannot grow. */
class Stream implements AsyncIteratorObject<MemberEvent, End> {
  private readonly unread = new Set<MemberEvent>();
  private readonly left: () => void;
  private ended: { value: End } | null = null;
  private waiting: ((step: Step) => void) | null = null;

  constructor(left: () => void) {
    this.left = left;
  }

  push(change: MemberEvent): void {
    this.unread.add(change);
    this.wake();
  }

  end(value?: End): void {
    if (this.ended) return;
    this.ended = { value };
    this.left();
    this.wake();
  }

  next(): Promise<Step> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.wake();
    });
  }

  async return(): Promise<Step> {
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async [Symbol.asyncDispose]() {
    this.end();
  }

  private wake(): void {
    if (!this.waiting) return;
    const [change] = this.unread;
    if (this.ended) this.waiting({ done: true, value: this.ended.value });
    else if (change) this.waiting({ done: false, value: change });
    else return;
    this.waiting = null;
    if (change) this.unread.delete(change);
  }
}

/**
 * Passes on what the database announces of its members (migration "announcements") to the screens that are
 * open in this process. The announcement leaves with the commit, whichever process made the change.
 */
export async function openMemberEvents(
  database: Pick<OpenDatabase, 'listen'>,
  lifeMs = LIFE_MS,
): Promise<MemberEvents> {
  const streams = new Map<string, Set<Stream>>();
  const gone = new Set<string>();
  let closed = false;

  const listener = await database.listen(CHANNEL, {
    message(payload) {
      const [what, userId = ''] = payload.split(' ');
      const change = MEMBER_EVENTS.find((it) => it === what);
      if (change) for (const stream of streams.get(userId) ?? []) stream.push(change);
      if (change === 'account') {
        gone.add(userId);
        setTimeout(() => gone.delete(userId), REMEMBER_GONE_MS).unref();
      }
    },
    missed() {
      for (const own of streams.values()) {
        for (const stream of own) for (const change of LOOK_AGAIN) stream.push(change);
      }
    },
  });

  return {
    changesOf(userId) {
      const own = streams.get(userId) ?? new Set();
      const stream = new Stream(() => {
        clearTimeout(life);
        own.delete(stream);
        if (own.size === 0) streams.delete(userId);
      });
      const life = setTimeout(() => stream.end(), lifeMs);
      streams.set(userId, own.add(stream));
      if (closed) stream.end();
      const [oldest] = own;
      if (own.size > MAX_STREAMS) oldest?.end('replaced');
      return stream;
    },
    isGone: (userId) => gone.has(userId),
    async close() {
      closed = true;
      for (const own of [...streams.values()]) for (const stream of [...own]) stream.end();
      await listener.close();
    },
  };
}
