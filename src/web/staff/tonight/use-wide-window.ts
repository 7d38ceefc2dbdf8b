import { useSyncExternalStore } from 'react';

/** The start of Tailwind's `lg`. */
const WIDE = '(min-width: 64rem)';

const subscribe = (changed: () => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

export const useWideWindow = (): boolean =>
  useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
