import { useSyncExternalStore } from 'react';

// While a modal dialog is open the browser makes everything outside it inert: toasts must then be drawn inside it.
let open: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLDialogElement[]) {
  open = next;
  for (const listener of listeners) listener();
}

// The page behind does not scroll, and keeps the width of its scrollbar.
function holdPage(held: boolean) {
  const { style, clientWidth } = document.documentElement;
  if (held === (style.overflow === 'hidden')) return;
  style.paddingInlineEnd = held ? `${window.innerWidth - clientWidth}px` : '';
  style.overflow = held ? 'hidden' : '';
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the element as a modal dialog; the returned function closes it and gives the focus back. */
export function openModal(dialog: HTMLDialogElement): () => void {
  holdPage(true);
  dialog.showModal();
  // Otherwise the close button would have the focus, but a form is opened to be filled in.
  dialog.querySelector<HTMLElement>('input, textarea, select')?.focus();
  change([...open, dialog]);
  return () => {
    change(open.filter((other) => other !== dialog));
    dialog.close();
    holdPage(open.length > 0);
  };
}

export function useTopModal(): HTMLDialogElement | undefined {
  return useSyncExternalStore(subscribe, () => open.at(-1));
}
