import { useCallback, useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { keepTablet } from '../../api/device/tablet.ts';

export interface Person {
  user_id: string;
  first_name: string;
  last_name: string;
}

export type People =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  /** The server knows no tablet here: it was signed out, or never was one. */
  | { kind: 'no tablet' }
  | { kind: 'tablet'; name: string; people: readonly Person[] };

/** Who can work on this tablet; reloaded when the network returns and when somebody comes back to the page. */
export function usePeople(): { state: People; reload: () => void } {
  const [state, setState] = useState<People>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const asked = new AbortController();
    api.barDevices.getCurrent(undefined, { signal: asked.signal }).then(
      ({ device }) => {
        if (device) keepTablet(device);
        setState(device ? { kind: 'tablet', ...device } : { kind: 'no tablet' });
      },
      (error) => {
        // Those loaded before are still shown: anyone removed since is refused at the PIN.
        if (!asked.signal.aborted) {
          setState((before) => (before.kind === 'tablet' ? before : { kind: 'failed', error }));
        }
      },
    );
    return () => asked.abort();
  }, [round]);

  useEffect(() => {
    const seen = () => {
      if (!document.hidden) reload();
    };
    window.addEventListener('online', reload);
    document.addEventListener('visibilitychange', seen);
    return () => {
      window.removeEventListener('online', reload);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [reload]);

  return { state, reload };
}
