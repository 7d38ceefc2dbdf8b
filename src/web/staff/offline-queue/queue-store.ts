import { inOrder, parseQueuedPour, type QueuedPour } from './queued-pour.ts';

// One key for each pour: two tabs that write at once never overwrite each other's list.
const POUR = 'cellar-door:pour:';
const TOLD = 'cellar-door:told:';
const TOLD_LIFE_MS = 24 * 60 * 60_000;

interface Told {
  balance: number;
  at: number;
}

interface Kept {
  pours: readonly QueuedPour[];
  told: Readonly<Record<string, Told>>;
}

const listeners = new Set<() => void>();
let kept: Kept | null = null;

function entries(prefix: string): [string, unknown][] {
  const found: [string, unknown][] = [];
  for (let index = 0; index < localStorage.length; index += 1) {
    const key = localStorage.key(index);
    if (!key?.startsWith(prefix)) continue;
    try {
      found.push([key.slice(prefix.length), JSON.parse(localStorage.getItem(key) ?? 'null')]);
    } catch {
      // Written by hand; what cannot be read is left alone.
    }
  }
  return found;
}

function read(): Kept {
  try {
    const pours = entries(POUR).flatMap(([, value]) => parseQueuedPour(value) ?? []);
    return { pours: inOrder(pours), told: Object.fromEntries(entries(TOLD)) as Kept['told'] };
  } catch {
    // A browser that keeps nothing has nothing waiting.
    return { pours: [], told: {} };
  }
}

function changed(): void {
  kept = null;
  for (const listener of listeners) listener();
}

function onStorage(event: StorageEvent): void {
  if (event.key === null || event.key.startsWith(POUR) || event.key.startsWith(TOLD)) changed();
}

/** What this device keeps: pours that wait, and the balance of each member as the server last told it. */
export const queueStore = {
  get(): Kept {
    kept ??= read();
    return kept;
  },

  /** Straight from the storage: another tab may have written a moment ago. */
  fresh(): Kept {
    kept = read();
    return kept;
  },

  subscribe(listener: () => void): () => void {
    if (listeners.size === 0) {
      kept = null;
      window.addEventListener('storage', onStorage);
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) window.removeEventListener('storage', onStorage);
    };
  },

  /** Throws when the browser has no room: then the pour does not wait here, and nobody may believe so. */
  keep(pour: QueuedPour): void {
    localStorage.setItem(POUR + pour.request_id, JSON.stringify(pour));
    changed();
  },

  drop(requestId: string): void {
    localStorage.removeItem(POUR + requestId);
    changed();
  },

  /** The server's word on what a member has left; an older word never replaces a newer one. */
  noteTold(customerId: string, balance: number, at = Date.now()): void {
    const { told } = queueStore.fresh();
    const known = told[customerId];
    if (known && (known.at > at || (known.at === at && known.balance === balance))) return;
    try {
      for (const [id, word] of Object.entries(told)) {
        if (!(word?.at > at - TOLD_LIFE_MS)) localStorage.removeItem(TOLD + id);
      }
      localStorage.setItem(TOLD + customerId, JSON.stringify({ balance, at } satisfies Told));
    } catch {
      // Without room the page's own word has to do.
    }
    changed();
  },
};
