import { useEffect, useState } from 'react';

/** Milliseconds that typing must pause before a search is sent. */
const SEARCH_DEBOUNCE_MS = 300;

/** The text once it has stopped changing. Empty text takes effect at once. */
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
