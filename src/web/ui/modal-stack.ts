import { useSyncExternalStore } from 'react';
import { createStore } from '../api/store.ts';

// Open modal dialogs. Everything outside them is inert, so toasts have to be rendered inside.
const open = createStore<readonly HTMLDialogElement[]>([]);

// The page behind must not scroll, but keeps the width of its scrollbar.
function lockScroll(locked: boolean) {
  const { style, clientWidth } = document.documentElement;
  if (locked === (style.overflow === 'hidden')) return;
  style.paddingInlineEnd = locked ? `${window.innerWidth - clientWidth}px` : '';
  style.overflow = locked ? 'hidden' : '';
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
  open.set([...open.get(), dialog]);
  return () => {
    open.set(open.get().filter((other) => other !== dialog));
    dialog.close();
    lockScroll(open.get().length > 0);
  };
}

export const topModal = () => open.get().at(-1);

export function useTopModal(): HTMLDialogElement | undefined {
  return useSyncExternalStore(open.subscribe, topModal);
}
