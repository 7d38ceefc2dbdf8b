import { useCallback, useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { keepTablet } from '../../api/device/tablet.ts';
import { inTime } from '../../api/in-time.ts';

type Device = NonNullable<Awaited<ReturnType<typeof api.barDevices.getCurrent>>['device']>;
export type Person = Device['people'][number];

export type People =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  /** The server knows no tablet here: it was signed out, or never existed. */
  | { kind: 'no tablet' }
  | { kind: 'tablet'; name: string; people: readonly Person[] };

/** The people who can work on this tablet; reloaded when the network returns and when the page is shown again. */
export function usePeople(): { state: People; reload: () => void } {
  const [state, setState] = useState<People>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const controller = new AbortController();
    api.barDevices.getCurrent(undefined, inTime(controller.signal)).then(
      ({ device }) => {
        if (device) keepTablet(device);
        setState(device ? { kind: 'tablet', ...device } : { kind: 'no tablet' });
      },
      (error) => {
        // People loaded before still show: those removed since are refused at the PIN.
        if (!controller.signal.aborted) {
          setState((before) => (before.kind === 'tablet' ? before : { kind: 'failed', error }));
        }
      },
    );
    return () => controller.abort();
  }, [round]);

  useEffect(() => {
    const reloadIfShown = () => {
      if (!document.hidden) reload();
    };
    window.addEventListener('online', reload);
    document.addEventListener('visibilitychange', reloadIfShown);
    return () => {
      window.removeEventListener('online', reload);
      document.removeEventListener('visibilitychange', reloadIfShown);
    };
  }, [reload]);

  return { state, reload };
}
