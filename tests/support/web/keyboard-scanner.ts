import { act, createEvent, fireEvent } from '@testing-library/react';

/**
 * Presses keys as a scanner does: what nothing prevents appears in the field that has the focus. Returns how many keys were
 * kept from the page.
 */
export function scan(text: string, end: (string | KeyboardEventInit)[] = ['Enter']): number {
  const at = performance.now();
  let kept = 0;
  act(() => {
    for (const [nth, pressed] of [...text, ...end].entries()) {
      const target = document.activeElement ?? document.body;
      const { key = '', ...init } = typeof pressed === 'string' ? { key: pressed } : pressed;
      const shiftKey = /[A-Z_]/.test(key) && key.length === 1;
      const press = createEvent.keyDown(target, { key, shiftKey, ...init });
      Object.defineProperty(press, 'timeStamp', { value: at + 10 * nth });
      const goesOn = fireEvent(target, press);
      if (!goesOn) {
        kept += 1;
        continue;
      }
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (key.length === 1 && isField) fireEvent.input(target, { target: { value: target.value + key } });
      else if (key === 'Enter' && target instanceof HTMLElement) target.click();
    }
  });
  return kept;
}
