import type { QueryClient } from '@tanstack/react-query';
import type { MemberEvent } from '../../../contract/member-events.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';

/** The first wait before a lost stream is opened again; doubled with every failure. */
export const firstWaitMs = 1_000;
export const longestWaitMs = 60_000;

const me = orpc.members.getOwn.key();
const available = orpc.functions.getAvailablePours.key();
const shows = {
  pours: [me, available, orpc.pours.list.key(), orpc.pours.listMonths.key()],
  membership: [me, available, orpc.functions.getSubscriptionDetails.key(), orpc.billing.listPayments.key()],
  // Nothing to load: whoever was deleted is signed out.
  account: [],
} satisfies Record<MemberEvent, unknown[]>;

/**
 * Keeps what is on the screen true while it is open: loads anew what the server says has changed. Only a page
 * that is seen holds a stream, as browsers allow few; whoever returns to a page gets what was missed.
 * onAccount: something happened to the account itself, so it is time to ask who is signed in.
 * Answers how to stop.
 */
export function followChanges(client: QueryClient, onAccount: () => void): () => void {
  let open: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let heardBefore = false;

  const refresh = (...changes: MemberEvent[]) => {
    for (const queryKey of new Set(changes.flatMap((it) => shows[it]))) {
      void client.invalidateQueries({ queryKey });
    }
  };

  const rest = () => {
    clearTimeout(timer);
    open?.abort();
    open = null;
  };

  const listen = async () => {
    clearTimeout(timer);
    if (open || document.hidden || !navigator.onLine) return;
    const mine = new AbortController();
    open = mine;
    const again = (wait: number) => {
      open = null;
      // Not all at once, when it was the server that went away.
      timer = setTimeout(listen, wait * (0.5 + Math.random() / 2));
    };
    try {
      const stream = await api.memberEvents.subscribe(undefined, { signal: mine.signal });
      if (heardBefore) refresh('pours', 'membership');
      heardBefore = true;
      let step = await stream.next();
      while (!step.done) {
        failures = 0;
        if (step.value === 'account') onAccount();
        else refresh(step.value);
        step = await stream.next();
      }
      // Replaced by newer screens of the same person: opening again would only start a quarrel.
      if (open === mine && step.value !== 'replaced') again(firstWaitMs);
    } catch (error) {
      if (open !== mine) return;
      // A refusal stays one until something changes; the next look at the page asks again.
      if (serverMessage(error) !== null) return;
      again(Math.min(firstWaitMs * 2 ** failures, longestWaitMs));
      failures += 1;
    }
  };

  const look = () => {
    if (document.hidden) return rest();
    rest();
    failures = 0;
    void listen();
  };

  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  window.addEventListener('offline', rest);
  void listen();
  return () => {
    rest();
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', look);
    window.removeEventListener('offline', rest);
  };
}
