import { useQuery } from '@tanstack/react-query';
import type { MemberDetail } from '../../../contract/members.ts';
import { orpc } from '../../api/client.ts';

/** What a member pays at the venue; for the partner of a household there is nothing to load. */
export function useDues({ customer, household }: MemberDetail) {
  const input = { customer_id: customer.id };
  return useQuery({
    ...orpc.memberDues.get.queryOptions({ input }),
    enabled: household?.role !== 'partner',
  });
}
