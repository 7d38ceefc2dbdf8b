import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '../ui/search-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

const HASH = 'search=';

/** The text in the URL's fragment; '' for none, or for text that could not have been typed here. */
function searchOf(hash: string): string {
  if (!hash.startsWith(HASH)) return '';
  try {
    return decodeURIComponent(hash.slice(HASH.length)).slice(0, MAX_SEARCH_LENGTH);
  } catch {
    return '';
  }
}

/**
 * The typed text, and the text to search for once typing pauses. The URL's fragment holds it: going back and a reload bring
 * it back, and no server logs it.
 */
export function useSearchText() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [text, setText] = useState(() => searchOf(hash));
  const typed = text.trim();
  const search = useDebounced(typed);
  const write = useEffectEvent(() => {
    if (search === searchOf(hash)) return;
    const next = search && HASH + encodeURIComponent(search);
    void navigate({ to: '.', search: true, hash: next, replace: true, resetScroll: false });
  });
  // Only a new search: the next page has no fragment, and begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for a new search
  useEffect(() => write(), [search]);
  return { text, setText, typed, search };
}
