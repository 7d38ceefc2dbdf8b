import { flushQueue, type SendingEvents } from './flush-queue.ts';
import { queueStore } from './queue-store.ts';
import { waitBeforeTry } from './queued-pour.ts';
import { withTabLock } from './tab-lock.ts';

/** Sends this person's queue for as long as they are here: at once, when the network returns, and ever less often. */
export function startSyncLoop(staffId: string, events: SendingEvents): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let running = false;
  let stopped = false;

  const mine = () =>
    queueStore.get().pours.some((pour) => pour.staff_id === staffId && pour.refused === undefined);

  const plan = () => {
    if (stopped || running || timer !== undefined || !mine()) return;
    timer = setTimeout(run, waitBeforeTry(failures));
  };

  const run = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (stopped || running || !mine() || !navigator.onLine) return;
    running = true;
    const round = await withTabLock('pours:send', async () =>
      stopped ? 'stopped' : flushQueue(staffId, events),
    ).catch(() => 'again');
    running = false;
    if (round === 'stopped') return;
    failures = round === 'again' ? failures + 1 : 0;
    plan();
  };

  const wake = () => {
    if (document.hidden || !navigator.onLine) return;
    failures = 0;
    void run();
  };

  const lastWord = () => Math.max(0, ...Object.values(queueStore.get().told).map(({ at }) => at));
  let heard = lastWord();
  const leave = queueStore.subscribe(() => {
    // A balance has arrived: the server is within reach again, whatever the last try found.
    const word = lastWord();
    if (word > heard) wake();
    heard = word;
    plan();
  });
  window.addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  void run();
  return () => {
    stopped = true;
    clearTimeout(timer);
    leave();
    window.removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
  };
}
