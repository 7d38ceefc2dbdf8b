import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches, updated as the window changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** As in styles/side-nav.css: room for the navigation at the side and a page beside it. */
const OFFICE = '(width >= 70rem) and (height >= 30rem)';

/** A window as wide as a laptop's. */
export const useOfficeWindow = (): boolean => useMedia(OFFICE);
