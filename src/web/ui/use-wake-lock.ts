import { useEffect } from 'react';

/** Keeps the screen on while `wanted`, where the browser can. It takes the lock away whenever the page is hidden. */
export function useWakeLock(wanted = true): void {
  useEffect(() => {
    if (!wanted || !('wakeLock' in navigator)) return;
    let lock: Promise<WakeLockSentinel | null> | null = null;
    // Refused when the battery is low: then the screen goes off as it would have.
    const take = () => {
      if (!document.hidden) lock = navigator.wakeLock.request('screen').catch(() => null);
    };
    take();
    document.addEventListener('visibilitychange', take);
    return () => {
      document.removeEventListener('visibilitychange', take);
      void lock?.then((held) => held?.release());
    };
  }, [wanted]);
}
