import type { QueryClient } from '@tanstack/react-query';
import type { MemberEvent } from '../../contract/member-events.ts';
import { api, orpc, serverMessage } from '../api/client.ts';

/** Milliseconds until a lost stream is first reopened. Doubles with every failure. */
export const FIRST_RETRY_MS = 1_000;
export const LONGEST_RETRY_MS = 60_000;

const me = orpc.members.getOwn.key();
/** For households: the other person's pours, and whether they still share. */
const household = orpc.households.key();
const QUERIES = {
  pours: [
    me,
    household,
    orpc.pours.list.key(),
    orpc.pours.listMonths.key(),
    orpc.pours.listRolledOver.key(),
    orpc.ratings.getQuestion.key(),
  ],
  membership: [me, household, orpc.functions.getSubscriptionDetails.key(), orpc.billing.listPayments.key()],
  // Nothing to load: a deleted user is signed out.
  account: [],
} satisfies Record<MemberEvent, unknown[]>;

/**
 * Reloads what has changed and, whenever a stream opens, what may have been missed. Only a visible page holds a stream,
 * because browsers allow few. Returns a function that stops it.
 */
export function followChanges(client: QueryClient, onAccountEvent: () => void): () => void {
  let open: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const refresh = (...events: MemberEvent[]) => {
    for (const queryKey of new Set(events.flatMap((event) => QUERIES[event]))) {
      void client.invalidateQueries({ queryKey });
    }
  };

  const disconnect = () => {
    clearTimeout(timer);
    open?.abort();
    open = null;
  };

  const connect = async () => {
    clearTimeout(timer);
    if (open || document.hidden || !navigator.onLine) return;
    const controller = new AbortController();
    open = controller;
    const reconnectIn = (delayMs: number) => {
      open = null;
      // Randomized, so that not all pages reconnect at once after a restart of the server.
      timer = setTimeout(connect, delayMs * (0.5 + Math.random() / 2));
    };
    try {
      const stream = await api.memberEvents.subscribe(undefined, { signal: controller.signal });
      // Even the first time: the loaded data may be older than the stream.
      refresh('pours', 'membership');
      let step = await stream.next();
      while (!step.done) {
        failures = 0;
        if (step.value === 'account') onAccountEvent();
        else refresh(step.value);
        step = await stream.next();
      }
      // Newer pages of the same user took over: reconnecting would only push them out.
      if (open === controller && step.value !== 'replaced') reconnectIn(FIRST_RETRY_MS);
    } catch (error) {
      if (open !== controller) return;
      // A retry after a refusal would not help. The next one is when the page becomes visible again.
      if (serverMessage(error) !== null) return;
      reconnectIn(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
      failures += 1;
    }
  };

  const reconnect = () => {
    if (document.hidden) return disconnect();
    disconnect();
    failures = 0;
    void connect();
  };

  document.addEventListener('visibilitychange', reconnect);
  window.addEventListener('online', reconnect);
  window.addEventListener('offline', disconnect);
  void connect();
  return () => {
    disconnect();
    document.removeEventListener('visibilitychange', reconnect);
    window.removeEventListener('online', reconnect);
    window.removeEventListener('offline', disconnect);
  };
}
