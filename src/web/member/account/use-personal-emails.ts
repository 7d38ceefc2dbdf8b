import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PERSONAL_EMAIL_PLACES } from '../../../domain/reports/members-at-risk.ts';
import { api, orpc } from '../../api/client.ts';
import { failureToast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** Whether the member wants personal emails (undefined while loading, null before they said), and the answer. */
export function usePersonalEmails(place: (typeof PERSONAL_EMAIL_PLACES)[number]) {
  const client = useQueryClient();
  const options = orpc.outreach.getOwn.queryOptions();
  const { data } = useQuery(options);
  const { busy, send } = useSend();
  const answer = (wanted: boolean) =>
    send(
      async () => client.setQueryData(options.queryKey, await api.outreach.updateOwn({ wanted, place })),
      failureToast('We couldn’t save the change'),
    );
  return { wanted: data?.wanted, busy, answer };
}
