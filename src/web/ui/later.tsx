import { type ReactNode, useDeferredValue } from 'react';

/**
 * Renders its children after the surrounding page, and only then starts their requests: for optional or later content, so
 * that a slow phone shows the page first.
 */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}
