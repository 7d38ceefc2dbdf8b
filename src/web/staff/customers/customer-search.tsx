import { Card } from '../../ui/card.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useSearchText } from '../use-search-text.ts';
import { CustomerList } from './customer-list.tsx';
import { CustomerListSkeleton } from './customer-list-skeleton.tsx';

/** The most recent members, or all matches of a name, email or phone. */
export function CustomerSearch() {
  const { text, setText, typed, search } = useSearchText();
  const searching = typed !== '';
  // Between the first character and the first search there is nothing to show: recent members are not results.
  const settled = searching === (search !== '');

  return (
    <>
      <SearchField label="Search by name or email" text={text} onText={setText} />
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
