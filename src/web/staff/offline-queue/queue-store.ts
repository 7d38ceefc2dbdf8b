import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { BarCard } from '../../../contract/members.ts';
import {
  BALANCE_PREFIX,
  localKeys,
  POUR_PREFIX,
  readLocal,
  removeLocal,
  writeLocal,
} from '../../api/local-storage.ts';
import { inOrder, isPour, parseQueued, type QueuedEntry, type QueuedPour } from './queued-pour.ts';

const BALANCE_LIFE_MS = 24 * 60 * 60_000;
/** Keeps a device from storing the whole club. */
const MAX_BALANCES = 200;

/** The server's last report of a balance, and its time in milliseconds since 1970. */
interface KnownBalance {
  balance: number;
  at: number;
  /** The member's name, if staff opened them on this device. */
  member?: SeenMember;
  service?: BarCard['service'];
  benefits?: BarCard['benefits'];
}

export type SeenMember = Pick<VerifiedCustomer, 'first_name' | 'last_name' | 'tier'>;

interface Stored {
  /** In sending order. */
  entries: readonly QueuedEntry[];
  /** The entries that are pours. */
  pours: readonly QueuedPour[];
  /** Balances by customer id. */
  balances: Readonly<Record<string, KnownBalance>>;
}

const listeners = new Set<() => void>();
let cached: Stored | null = null;

/** The readable values under a prefix, by the rest of their key. */
function entries(prefix: string): [string, unknown][] {
  return localKeys(prefix)
    .map((key): [string, unknown] => [key.slice(prefix.length), readLocal(key)])
    .filter(([, value]) => value !== null);
}

function read(): Stored {
  const queued = inOrder(entries(POUR_PREFIX).flatMap(([, value]) => parseQueued(value) ?? []));
  const balances = Object.fromEntries(entries(BALANCE_PREFIX)) as Stored['balances'];
  const pours = queued.filter(isPour);
  return { entries: queued, pours, balances };
}

function changed(): void {
  cached = null;
  for (const listener of listeners) listener();
}

function onStorage({ key }: StorageEvent): void {
  if (key === null || key.startsWith(POUR_PREFIX) || key.startsWith(BALANCE_PREFIX)) changed();
}

export const queueStore = {
  get(): Stored {
    cached ??= read();
    return cached;
  },

  /** Reads storage again: another tab may have just written. */
  fresh(): Stored {
    cached = read();
    return cached;
  },

  subscribe(listener: () => void): () => void {
    if (listeners.size === 0) {
      cached = null;
      window.addEventListener('storage', onStorage);
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) window.removeEventListener('storage', onStorage);
    };
  },

  /** Throws if the browser has no space: the entry is not queued then, and staff must know. */
  save(entry: QueuedEntry): void {
    if (!writeLocal(POUR_PREFIX + entry.request_id, entry)) throw new Error('No room in the offline queue');
    changed();
  },

  remove(requestId: string): void {
    removeLocal(POUR_PREFIX + requestId);
    changed();
  },

  /** Saves what else the server reports of a member, if their balance is stored. */
  noteReport(customerId: string, report: Partial<Pick<BarCard, 'service' | 'benefits'>>): void {
    const entry = queueStore.fresh().balances[customerId];
    // If storage is full, the page uses its own data.
    if (entry && writeLocal(BALANCE_PREFIX + customerId, { ...entry, ...report })) changed();
  },

  /** Saves the balance that the server reported at that time. An older report never replaces a newer one. */
  noteBalance(customerId: string, balance: number, at = Date.now(), seen?: SeenMember): void {
    const { balances } = queueStore.fresh();
    const latest = Math.max(at, Date.now());
    const stored = balances[customerId];
    // A future time comes from a clock that was ahead: any report is newer.
    const entry = stored && stored.at <= latest ? stored : undefined;
    const isNews = !entry || entry.at < at || (entry.at === at && entry.balance !== balance);
    const isNamed = !seen || entry?.member !== undefined;
    if (!isNews && isNamed) return;
    const member = seen ?? stored?.member;
    const next = { ...stored, ...(isNews ? { balance, at } : entry), ...(member ? { member } : {}) };
    try {
      const others = Object.entries(balances).sort(([, a], [, b]) => b.at - a.at);
      for (const [nth, [id, other]] of others.entries()) {
        const isOld = !(other?.at > at - BALANCE_LIFE_MS && other.at <= latest);
        if (isOld || nth >= MAX_BALANCES) localStorage.removeItem(BALANCE_PREFIX + id);
      }
      localStorage.setItem(BALANCE_PREFIX + customerId, JSON.stringify(next satisfies KnownBalance));
    } catch {
      // If storage is full, the page uses its own balance.
    }
    changed();
  },
};
