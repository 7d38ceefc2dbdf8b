import { MEMBER_EVENTS, type MemberEvent } from '../../contract/member-events.ts';
import type { OpenDatabase } from '../db/client.ts';
import { createAnnouncer } from './announcer.ts';
import { createLookingAgain } from './look-again.ts';

const CHANNEL = 'member_changed';
/** Streams per user. Beyond this the oldest ends, since its connection may have died unnoticed. */
export const MAX_STREAMS = 12;
/** A stream ends after this and is reopened, which checks the session again. */
const LIFE_MS = 10 * 60_000;
/** How often the club's settings are read while announcements do not arrive. */
const CLUB_EVERY_MS = 10_000;
/** Sent when events may have been missed. A deleted account is noticed anyway, because its sessions end. */
const LOOK_AGAIN: MemberEvent[] = ['pours', 'membership'];

type End = 'replaced' | undefined;
type Step = IteratorResult<MemberEvent, End>;

export type MemberEvents = Awaited<ReturnType<typeof openMemberEvents>>;

/** One open page. Each unread change is stored once, so memory is bounded. */
class Stream implements AsyncIteratorObject<MemberEvent, End> {
  private readonly unread = new Set<MemberEvent>();
  private readonly left: () => void;
  private ended: { value: End } | null = null;
  private waiting: ((step: Step) => void) | null = null;

  constructor(onLeave: () => void) {
    this.left = onLeave;
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
 * Sends announcements about members to this process's open pages: docs/decisions/live-and-offline.md. The database sends
 * most of them with the commit; those of pours and voids follow it, from the process that recorded them. `origin`
 * identifies this process; `clubChanged` is called when the club's settings have changed, or may have.
 */
export async function openMemberEvents(
  database: Pick<OpenDatabase, 'listen' | 'notify' | 'db'>,
  origin: string,
  { lifeMs = LIFE_MS, clubChanged = () => undefined }: { lifeMs?: number; clubChanged?: () => void } = {},
) {
  const streams = new Map<string, Set<Stream>>();
  const venueStreams = new Map<string, Set<Stream>>();
  let askingForClub: NodeJS.Timeout | undefined;
  let isClosed = false;

  const allStreams = () => [...streams.values(), ...venueStreams.values()];
  const pushToPages = (userId: string, change: MemberEvent) => {
    for (const stream of streams.get(userId) ?? []) stream.push(change);
    for (const group of venueStreams.values()) for (const stream of group) stream.push(change);
  };
  /** Reopening a stream checks the permission again. */
  const endStreamsOf = (userId: string) => {
    for (const index of [streams, venueStreams])
      for (const stream of [...(index.get(userId) ?? [])]) stream.end();
  };
  const lookingAgain = createLookingAgain(database.db, {
    watched: () => [...streams.keys()],
    changed: pushToPages,
    staff: () => [...venueStreams.keys()],
    notStaff: endStreamsOf,
  });

  const announcer = createAnnouncer((payloads) => database.notify(CHANNEL, payloads));
  const receive = (announcement: string) => {
    const [kind, userId = '', ledger, from] = announcement.split(' ');
    if (from === origin) return;
    if (kind === 'club') return clubChanged();
    if (kind === 'role') return endStreamsOf(userId);
    const change = MEMBER_EVENTS.find((it) => it === kind);
    if (change) pushToPages(userId, change);
    if (ledger) lookingAgain.announced(userId, ledger);
  };

  const listener = await database.listen(CHANNEL, {
    message(payload) {
      for (const announcement of payload.split('\n')) receive(announcement);
    },
    /** No announcements reach this process, as behind a pooler in transaction mode. */
    deaf(isDeaf) {
      clearInterval(askingForClub);
      if (isClosed) return;
      lookingAgain.start(isDeaf);
      if (isDeaf) askingForClub = setInterval(clubChanged, CLUB_EVERY_MS).unref();
    },
    missed() {
      clubChanged();
      for (const group of allStreams()) {
        for (const stream of group) for (const change of LOOK_AGAIN) stream.push(change);
      }
    },
  });

  const open = (index: Map<string, Set<Stream>>, userId: string): Stream => {
    const group = index.get(userId) ?? new Set();
    const stream = new Stream(() => {
      clearTimeout(life);
      group.delete(stream);
      if (group.size === 0) index.delete(userId);
    });
    const life = setTimeout(() => stream.end(), lifeMs);
    index.set(userId, group.add(stream));
    if (isClosed) stream.end();
    const [first] = group;
    if (group.size > MAX_STREAMS) first?.end('replaced');
    return stream;
  };

  return {
    /** A user's changes from now on. Ends after some minutes, when replaced, with a change of role, and at shutdown. */
    subscribe(userId: string): AsyncIteratorObject<MemberEvent, End> {
      const stream = open(streams, userId);
      lookingAgain.open(userId);
      return stream;
    },
    /** All members' changes, for a staff member's open page: what changed, but not whose. Ends as a user's stream does. */
    subscribeVenue(staffId: string): AsyncIteratorObject<MemberEvent, End> {
      const stream = open(venueStreams, staffId);
      // The role may have ended during the call.
      lookingAgain.openVenue();
      return stream;
    },
    /** Sends a committed change to this process's pages at once, and to the other processes. */
    announce(announcement: string): void {
      receive(announcement);
      announcer.add(`${announcement} ${origin}`);
    },
    openStreams: () => allStreams().reduce((sum, group) => sum + group.size, 0),
    async close() {
      isClosed = true;
      lookingAgain.stop();
      clearInterval(askingForClub);
      for (const group of allStreams()) for (const stream of [...group]) stream.end();
      await announcer.close();
      await listener.close();
    },
  };
}
