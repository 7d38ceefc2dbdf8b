import { useEffect } from 'react';
import { api } from '../../api/client.ts';

/** While the tablet is in use, the server is notified once per interval. Shorter than the shortest idle time. */
const STAY_MS = 20_000;
const CHECK_MS = 5_000;

/**
 * Calls `onIdle` after the tablet's idle minutes without a touch. Until then it reports touches to the server, which would
 * otherwise end the session. `onIdle` is called again until the tablet is locked.
 */
export function useIdleLock(minutes: number, onIdle: () => void): void {
  useEffect(() => {
    let used = Date.now();
    let told = Date.now();
    let telling: ReturnType<typeof setTimeout> | undefined;

    const tell = () => {
      telling = undefined;
      told = Date.now();
      // Without a server there is no session to extend, and the next touch tries again.
      api.barDevices.stay().catch(() => undefined);
    };
    const touched = () => {
      used = Date.now();
      telling ??= setTimeout(tell, Math.max(0, told + STAY_MS - used));
    };
    const check = () => {
      if (Date.now() - used >= minutes * 60_000) onIdle();
    };

    const checking = setInterval(check, CHECK_MS);
    // Timers do not run while a tablet sleeps.
    document.addEventListener('visibilitychange', check);
    window.addEventListener('pointerdown', touched, { capture: true, passive: true });
    window.addEventListener('keydown', touched, { capture: true });
    return () => {
      clearInterval(checking);
      clearTimeout(telling);
      document.removeEventListener('visibilitychange', check);
      window.removeEventListener('pointerdown', touched, { capture: true });
      window.removeEventListener('keydown', touched, { capture: true });
    };
  }, [minutes, onIdle]);
}
