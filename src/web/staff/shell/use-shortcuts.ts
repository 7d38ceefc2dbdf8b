import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { StaffPage } from './staff-pages.ts';

/** Milliseconds that 'g' waits for the key of a page. */
const SEQUENCE_MS = 1500;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

interface Shortcuts {
  openPalette(): void;
  openSheet(): void;
  /** A typing scanner may be in use: only keys that it cannot send work. */
  scanning: boolean;
  pages: readonly StaffPage[];
}

/** Ctrl K or ⌘K, '?', '/' for the page's own search, and 'g' with the key of a page. */
export function useShortcuts({ openPalette, openSheet, scanning, pages }: Shortcuts): void {
  const navigate = useNavigate();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event;
    if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
      event.preventDefault();
      openPalette();
      return;
    }
    const inDialog = document.querySelector('dialog[open]') !== null;
    if (ctrlKey || metaKey || altKey || scanning || inDialog || isTyping(target)) return;
    const page = timeStamp - pressedG.current < SEQUENCE_MS && pages.find((it) => it.key === key);
    pressedG.current = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
    if (page) void navigate({ to: page.to });
    else if (key === '?') openSheet();
    else if (key === '/') document.querySelector<HTMLInputElement>('main input[type=search]')?.focus();
    else return;
    event.preventDefault();
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
