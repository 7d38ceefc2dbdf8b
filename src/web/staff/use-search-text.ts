import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '../ui/search-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

const HASH = 'search=';

/** The text in the address's fragment; '' for none, and for one that nobody could have typed here. */
function searchOf(hash: string): string {
  if (!hash.startsWith(HASH)) return '';
  try {
    return decodeURIComponent(hash.slice(HASH.length)).slice(0, MAX_SEARCH_LENGTH);
  } catch {
    return '';
  }
}

/**
 * What is typed into a page's search, and what is searched for once typing pauses. It stays in the address, so that it
 * comes back with Back and a reload: in the fragment, which no server is sent, as names and phone numbers stay out of
 * its log.
 */
export function useSearchText() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [text, setText] = useState(() => searchOf(hash));
  const typed = text.trim();
  const search = useDebounced(typed);
  useEffect(() => {
    if (search === searchOf(hash)) return;
    const next = search && HASH + encodeURIComponent(search);
    void navigate({ to: '.', search: true, hash: next, replace: true, resetScroll: false });
  }, [search, hash, navigate]);
  return { text, setText, typed, search };
}
