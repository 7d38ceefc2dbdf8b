import { useEffect } from 'react';
import { topModal } from './modal-stack.ts';

export type UnfinishedEntry = 'typed' | 'sending';

const entries = new Map<symbol, UnfinishedEntry>();

/** Registers what leaving the page would lose, or null. */
export function useUnfinishedEntry(entry: UnfinishedEntry | null): void {
  useEffect(() => {
    if (!entry) return;
    const id = Symbol(entry);
    entries.set(id, entry);
    return () => {
      entries.delete(id);
    };
  }, [entry]);
}

const DIALOG_FIELDS = 'textarea, input:not([role=combobox], [type=radio], [type=checkbox])';

/** What the user has entered on the page or in the open dialog, and not saved; null if there is nothing to lose. */
export function unfinishedEntry(): UnfinishedEntry | null {
  const all = [...entries.values()];
  if (all.includes('sending')) return 'sending';
  const fields = topModal()?.querySelectorAll<HTMLInputElement>(DIALOG_FIELDS) ?? [];
  return all.length > 0 || [...fields].some(({ value }) => value !== '') ? 'typed' : null;
}
