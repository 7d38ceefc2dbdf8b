import { useEffect, useEffectEvent } from 'react';

/** The longest pause between two keys of a USB scanner; people type far slower. */
const KEY_PAUSE_MS = 60;
/** A shorter burst comes from random key presses. */
const SHORTEST_CODE = 16;
const CODE_KEY = /^[A-Za-z0-9_-]$/;

/**
 * Distinguishes a USB scanner from a person typing: a scanner sends a burst of code characters that ends in Enter. Takes
 * every key with its time in milliseconds; returns the code on the Enter that completes one, else null.
 */
export class KeyboardWedge {
  private text = '';
  private last = 0;

  key(key: string, at: number): string | null {
    // Scanners press Shift for capitals: part of the burst, but not a character.
    if (key === 'Shift') return null;
    const inBurst = at - this.last <= KEY_PAUSE_MS;
    if (!inBurst) this.text = '';
    this.last = at;
    if (key === 'Enter') {
      const code = this.text;
      this.text = '';
      return code.length >= SHORTEST_CODE ? code : null;
    }
    this.text = CODE_KEY.test(key) ? this.text + key : '';
    return null;
  }
}

/** Listens on the whole page, so that a USB scanner works regardless of the focus. */
export function useKeyboardWedge(onCode: (code: string) => void): void {
  const handleCode = useEffectEvent(onCode);
  useEffect(() => {
    const wedge = new KeyboardWedge();
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const code = wedge.key(event.key, event.timeStamp);
      if (code === null) return;
      // The scanner's Enter must neither press the focused button nor submit a form.
      event.preventDefault();
      event.stopPropagation();
      handleCode(code);
    };
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
