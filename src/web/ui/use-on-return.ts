import { useEffect, useEffectEvent } from 'react';

/** Calls `onReturn` when someone goes back from another site to this page, which browsers may restore in its last state. */
export function useOnReturn(onReturn: () => void): void {
  const handleReturn = useEffectEvent(onReturn);
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) handleReturn();
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);
}
