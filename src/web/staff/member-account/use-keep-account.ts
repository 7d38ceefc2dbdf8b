import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { MemberAccount } from '../../../contract/staff/member-account.ts';
import { orpc, refusalOf } from '../../api/client.ts';
import { refreshMembers } from '../refresh-members.ts';

export function useKeepAccount(customerId: string): (account: MemberAccount) => void {
  const queries = useQueryClient();
  return useCallback(
    (account) => {
      const input = { customer_id: customerId };
      queries.setQueryData(orpc.memberAccount.get.queryKey({ input }), account);
      refreshMembers(queries);
      // A change of email ends the notices about the old one.
      void queries.invalidateQueries({ queryKey: orpc.staffNotices.key() });
    },
    [queries, customerId],
  );
}

/** After someone else's save: reloads the account and says what it holds now. The next save overwrites that. */
export function useReadAgain(customerId: string) {
  const queries = useQueryClient();
  const values = useRef('');
  return {
    async rethrow(error: unknown): Promise<never> {
      if (refusalOf(error, 'MEMBER_CHANGED')) {
        const input = { customer_id: customerId };
        const options = orpc.memberAccount.get.queryOptions({ input, staleTime: 0 });
        const { first_name, last_name, phone, email } = await queries.fetchQuery(options);
        values.current = [`${first_name} ${last_name}`, phone, email].filter(Boolean).join(', ');
      }
      throw error;
    },
    /** Null for any other error. */
    textOf: (error: unknown): string | null =>
      refusalOf(error, 'MEMBER_CHANGED') &&
      `Someone has just changed this member. It now says: ${values.current}. Save again to replace that.`,
  };
}
