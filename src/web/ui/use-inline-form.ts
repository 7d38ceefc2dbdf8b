import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** A form that opens in place of its button. Closing it returns the focus to the button. */
export function useInlineForm() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    flushSync(() => setOpen(false));
    button.current?.focus();
  };
  return { isOpen, open: () => setOpen(true), close, button };
}
