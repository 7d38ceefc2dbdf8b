import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { orpc } from '../api/client.ts';

/**
 * The member's own record, as the page shows it. New data is rendered in slices, so that a slow phone stays
 * responsive: a query's own data would be rendered in one task. `query` has the state of loading.
 */
export function useOwn() {
  const query = useQuery(orpc.members.getOwn.queryOptions());
  return { me: useDeferredValue(query.data), query };
}

export type OwnRecord = NonNullable<ReturnType<typeof useOwn>['me']>;
