import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { orpc } from '../api/client.ts';

/** New data renders in slices, so that a slow phone stays responsive; a query's own would render in one task. */
export function useOwn() {
  const query = useQuery(orpc.members.getOwn.queryOptions());
  return { me: useDeferredValue(query.data), query };
}

export type OwnRecord = NonNullable<ReturnType<typeof useOwn>['me']>;
