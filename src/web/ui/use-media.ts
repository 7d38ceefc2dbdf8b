import { useCallback, useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** The query of styles/side-nav.css: enough space for the side navigation and a page. */
const OFFICE = '(width >= 70rem) and (height >= 30rem)';

export const useOfficeWindow = (): boolean => useMedia(OFFICE);
