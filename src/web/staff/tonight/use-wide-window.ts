import { useSyncExternalStore } from 'react';

/** Where Tailwind's `lg` begins. */
const WIDE = '(min-width: 64rem)';

const subscribe = (changed: () => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** Whether the window is a desktop's. */
export const useWideWindow = (): boolean =>
  useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
