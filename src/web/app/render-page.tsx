import { type ReactNode, StrictMode, startTransition } from 'react';
import type { Root } from 'react-dom/client';

/** Replaces what the root shows. In a transition, which React renders in slices. */
export function renderPage(root: Root, page: ReactNode): void {
  startTransition(() => root.render(<StrictMode>{page}</StrictMode>));
}
