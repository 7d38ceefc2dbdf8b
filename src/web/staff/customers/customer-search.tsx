import { useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { CustomerList } from './customer-list.tsx';
import { CustomerListSkeleton } from './customer-list-skeleton.tsx';

const MAX_LENGTH = 100;

const HASH = 'search=';

/** The text in the address's fragment; '' for none, and for one that nobody could have typed here. */
function searchOf(hash: string): string {
  if (!hash.startsWith(HASH)) return '';
  try {
    return decodeURIComponent(hash.slice(HASH.length)).slice(0, MAX_LENGTH);
  } catch {
    return '';
  }
}

/**
 * The recent members, or all who match a name, email or phone. The text stays in the address, so that it comes back with
 * Back and a reload.
 */
export function CustomerSearch() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [text, setText] = useState(() => searchOf(hash));
  const typed = text.trim();
  const search = useDebounced(typed);
  const searching = typed !== '';
  // Between the first letter and the first search there is nothing to show: recent members are not results.
  const settled = searching === (search !== '');

  // In the fragment, which no server is sent: names and phone numbers stay out of its log.
  useEffect(() => {
    if (search === searchOf(hash)) return;
    const next = search && HASH + encodeURIComponent(search);
    void navigate({ to: '.', hash: next, replace: true, resetScroll: false });
  }, [search, hash, navigate]);

  return (
    <>
      <TextField
        label="Search by name or email"
        labelHidden
        className="[&_input::-webkit-search-cancel-button]:grayscale"
        type="search"
        placeholder="Search by name or email"
        icon={<Search size={20} aria-hidden="true" />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Card title={searching ? 'Search Results' : 'Recent Members'} padding="plain">
        {settled ? (
          <CustomerList key={searching ? 'found' : 'recent'} search={search} stale={search !== typed} />
        ) : (
          <CustomerListSkeleton />
        )}
      </Card>
    </>
  );
}
