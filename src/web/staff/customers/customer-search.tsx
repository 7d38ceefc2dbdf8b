import { Search } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { MAX_SEARCH_LENGTH, useSearchText } from '../use-search-text.ts';
import { CustomerList } from './customer-list.tsx';
import { CustomerListSkeleton } from './customer-list-skeleton.tsx';

/** The recent members, or all who match a name, email or phone. */
export function CustomerSearch() {
  const { text, setText, typed, search } = useSearchText();
  const searching = typed !== '';
  // Between the first letter and the first search there is nothing to show: recent members are not results.
  const settled = searching === (search !== '');

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
        maxLength={MAX_SEARCH_LENGTH}
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
