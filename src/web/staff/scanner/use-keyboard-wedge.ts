import { useEffect, useEffectEvent } from 'react';
import { KeyboardWedge } from './keyboard-wedge.ts';

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
