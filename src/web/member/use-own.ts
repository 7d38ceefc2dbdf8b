import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { orpc } from '../api/client.ts';

/**
 * The member's own record, as the page shows it. What arrives is drawn in slices, between which a slow phone can do
 * something else: a query's own data is drawn in one go. `query` says how loading it went.
 */
export function useOwn() {
  const query = useQuery(orpc.members.getOwn.queryOptions());
  return { me: useDeferredValue(query.data), query };
}

export type OwnRecord = NonNullable<ReturnType<typeof useOwn>['me']>;
