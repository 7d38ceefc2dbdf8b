import { useEffect, useState } from 'react';

/** The current time in milliseconds since 1970, or what another clock reads, updated every second. */
export function useNow(read: () => number = Date.now): number {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const tick = () => setNow(read());
    const timer = setInterval(tick, 1_000);
    // Timers pause in hidden tabs: when the tab is visible again, the time must be right at once.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [read]);
  return now;
}
