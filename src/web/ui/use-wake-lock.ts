import { useEffect } from 'react';

/** Keeps the screen on while `isOn`, if the browser can. The browser releases the lock whenever the page is hidden. */
export function useWakeLock(isOn = true): void {
  useEffect(() => {
    if (!isOn || !('wakeLock' in navigator)) return;
    let lock: Promise<WakeLockSentinel | null> | null = null;
    // Refused when the battery is low: the screen then turns off as usual.
    const take = () => {
      if (!document.hidden) lock = navigator.wakeLock.request('screen').catch(() => null);
    };
    take();
    document.addEventListener('visibilitychange', take);
    return () => {
      document.removeEventListener('visibilitychange', take);
      void lock?.then((sentinel) => sentinel?.release());
    };
  }, [isOn]);
}
