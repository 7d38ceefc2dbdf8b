import { useQueryClient } from '@tanstack/react-query';
import type { EndOffer } from '../../../contract/staff/membership-end.ts';
import { orpc } from '../../api/client.ts';
import { refreshMembers } from '../refresh-members.ts';

export const UNDER_WAY =
  'Stripe has not answered yet. We retry every minute; there is nothing for you to do.';

/** Shows the server's response, and reloads other data it changed. */
export function useKeepOffer(customerId: string): (offer: EndOffer) => void {
  const queries = useQueryClient();
  return (offer) => {
    const input = { customer_id: customerId };
    queries.setQueryData(orpc.membershipEnd.get.queryKey({ input }), offer);
    void queries.invalidateQueries({ queryKey: orpc.memberRecord.key() });
    refreshMembers(queries);
  };
}
