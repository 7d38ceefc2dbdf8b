import { useEffect, useEffectEvent } from 'react';
import { KeyboardWedge } from './keyboard-wedge.ts';

/** Listens to the whole page, so that a USB scanner needs no box to type into. */
export function useKeyboardWedge(onCode: (code: string) => void): void {
  const hand = useEffectEvent(onCode);
  useEffect(() => {
    const wedge = new KeyboardWedge();
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const code = wedge.key(event.key, event.timeStamp);
      if (code === null) return;
      // This Enter belongs to the scanner: it must neither press the focused button nor send a form.
      event.preventDefault();
      event.stopPropagation();
      hand(code);
    };
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
