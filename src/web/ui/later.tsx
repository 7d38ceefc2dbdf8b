import { type ReactNode, useDeferredValue } from 'react';

/**
 * Draws its children after the page around it, and starts what they ask the server for then: for what a page shows later or
 * not at all, so that a slow phone has the page first.
 */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}
