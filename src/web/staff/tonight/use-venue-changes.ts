import { useEffect } from 'react';
import { api } from '../../api/client.ts';

/** Milliseconds within which many pours cause one reload. */
const SETTLE_MS = 1_000;
const RETRY_MS = 15_000;

/** Calls back after a change at the venue, or when one may have been missed. Only a visible page holds a stream. */
export function useVenueChanges(onChange: () => void): void {
  useEffect(() => {
    let open: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let settling: ReturnType<typeof setTimeout> | undefined;

    const reloadSoon = () => {
      settling ??= setTimeout(() => {
        settling = undefined;
        onChange();
      }, SETTLE_MS);
    };
    const disconnect = () => {
      clearTimeout(timer);
      open?.abort();
      open = null;
    };
    const connect = async (isAgain: boolean) => {
      if (open || document.hidden) return;
      const controller = new AbortController();
      open = controller;
      let replaced = false;
      try {
        const stream = await api.memberEvents.subscribeVenue(undefined, { signal: controller.signal });
        if (isAgain) reloadSoon();
        let step = await stream.next();
        for (; !step.done; step = await stream.next()) reloadSoon();
        replaced = step.value === 'replaced';
      } catch {
        // Lost or refused; the page's next request will show which.
      }
      if (open !== controller) return;
      open = null;
      // Newer pages of the same user took over.
      if (!replaced) timer = setTimeout(() => void connect(true), RETRY_MS);
    };
    const follow = () => {
      disconnect();
      void connect(true);
    };

    document.addEventListener('visibilitychange', follow);
    void connect(false);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(settling);
      disconnect();
    };
  }, [onChange]);
}
