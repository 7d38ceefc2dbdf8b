import { isOnline } from '../../api/online.ts';
import { type FlushContext, flushQueue } from './flush-queue.ts';
import { queueStore } from './queue-store.ts';
import { type PaymentContext, queuedPayments, sendPayments } from './queued-payments.ts';
import { LONGEST_RETRY_MS, retryDelay } from './queued-pour.ts';
import { withTabLock } from './tab-lock.ts';

/** Sends this user's queue and payments at once, when the network returns, and at growing intervals, until it is stopped. */
export function startSyncLoop(staffId: string, context: FlushContext & PaymentContext): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let running = false;
  let stopped = false;

  const isOwn = (it: { staff_id: string; refused?: string }) =>
    it.staff_id === staffId && it.refused === undefined;
  const hasOwn = () => queueStore.get().entries.some(isOwn) || queuedPayments.get().some(isOwn);

  const send = async () => {
    if (stopped) return 'stopped';
    const pours = await flushQueue(staffId, context);
    return pours === 'done' ? sendPayments(staffId, context) : pours;
  };

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
    const result = await withTabLock('pours:send', send).catch(() => 'retry');
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
  const unsubscribePayments = queuedPayments.subscribe(schedule);
  window.addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  void run();
  return () => {
    stopped = true;
    clearTimeout(timer);
    unsubscribe();
    unsubscribePayments();
    window.removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
  };
}
