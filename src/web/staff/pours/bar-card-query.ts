import { api, orpc } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';

/** A member's data for the bar. */
export const barCardQuery = (id: string) => ({
  ...orpc.members.getBarCard.queryOptions({ input: { id } }),
  queryFn: ({ signal }: { signal: AbortSignal }) => api.members.getBarCard({ id }, inTime(signal)),
});
