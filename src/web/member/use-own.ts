import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { orpc } from '../api/client.ts';

/**
 * The member's own record. New data renders in slices, so that a slow phone stays responsive: a query's own data would
 * render in one task. `query` has the loading state.
 */
export function useOwn() {
  const query = useQuery(orpc.members.getOwn.queryOptions());
  return { me: useDeferredValue(query.data), query };
}

export type OwnRecord = NonNullable<ReturnType<typeof useOwn>['me']>;
