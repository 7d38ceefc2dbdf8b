import { type ReactNode, useDeferredValue } from 'react';

/**
 * Renders its children after the page around them, and only then starts their requests: for what a page shows later or
 * not at all, so that a slow phone has the page first.
 */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}
