import { useSyncExternalStore } from 'react';

// Open modal dialogs. Everything outside them is inert, so toasts have to be rendered inside.
let open: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLDialogElement[]) {
  open = next;
  for (const listener of listeners) listener();
}

// The page behind must not scroll, but keeps the width of its scrollbar.
function lockScroll(locked: boolean) {
  const { style, clientWidth } = document.documentElement;
  if (locked === (style.overflow === 'hidden')) return;
  style.paddingInlineEnd = locked ? `${window.innerWidth - clientWidth}px` : '';
  style.overflow = locked ? 'hidden' : '';
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the element as a modal dialog. Returns a function that closes it and restores the focus. */
export function openModal(dialog: HTMLDialogElement): () => void {
  lockScroll(true);
  dialog.showModal();
  // Otherwise the close button would have the focus instead of the form.
  const field = dialog.querySelector<HTMLElement>('input, textarea');
  field?.focus();
  // A long text is read from its beginning.
  if (field) field.scrollLeft = 0;
  change([...open, dialog]);
  return () => {
    change(open.filter((other) => other !== dialog));
    dialog.close();
    lockScroll(open.length > 0);
  };
}

export const topModal = () => open.at(-1);

export function useTopModal(): HTMLDialogElement | undefined {
  return useSyncExternalStore(subscribe, topModal);
}
