import { isOnline } from '../../api/online.ts';
import { type FlushContext, flushQueue } from './flush-queue.ts';
import { queueStore } from './queue-store.ts';
import { LONGEST_RETRY_MS, retryDelay } from './queued-pour.ts';
import { withTabLock } from './tab-lock.ts';

/** Sends this user's queued pours at once, when the network returns, and at growing intervals, until it is stopped. */
export function startSyncLoop(staffId: string, context: FlushContext): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let running = false;
  let stopped = false;

  const hasOwn = () =>
    queueStore.get().pours.some((pour) => pour.staff_id === staffId && pour.refused === undefined);

  const schedule = () => {
    if (stopped || running || timer !== undefined || !hasOwn()) return;
    // Browsers sometimes say offline where our server can be reached: behind a VPN, or in a network without the internet.
    timer = setTimeout(run, isOnline() ? retryDelay(failures) : LONGEST_RETRY_MS);
  };

  const run = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (stopped || running || !hasOwn()) return;
    running = true;
    const result = await withTabLock('pours:send', async () =>
      stopped ? 'stopped' : flushQueue(staffId, context),
    ).catch(() => 'retry');
    running = false;
    if (result === 'stopped') return;
    failures = result === 'retry' ? failures + 1 : 0;
    schedule();
  };

  const wake = () => {
    if (document.hidden) return;
    failures = 0;
    void run();
  };

  const newestBalance = () => Math.max(0, ...Object.values(queueStore.get().balances).map(({ at }) => at));
  let seen = newestBalance();
  const unsubscribe = queueStore.subscribe(() => {
    // A new balance means that the server can be reached again.
    const newest = newestBalance();
    if (newest > seen) wake();
    seen = newest;
    schedule();
  });
  window.addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  void run();
  return () => {
    stopped = true;
    clearTimeout(timer);
    unsubscribe();
    window.removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
  };
}
