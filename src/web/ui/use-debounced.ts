import { useEffect, useState } from 'react';

/** Typing pauses this long before a search is sent (spec section 9). */
const SEARCH_DEBOUNCE_MS = 300;

/** The text once it has stopped changing. Emptying it counts at once: there is nothing to wait for. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === '') {
      setSettled('');
      return;
    }
    const timer = setTimeout(() => setSettled(text), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
