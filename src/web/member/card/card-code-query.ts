import { CARD_REFRESH_SECONDS, CARD_TTL_SECONDS } from '../../../domain/card.ts';
import { api, orpc } from '../../api/client.ts';
import { momentNow } from './code-lifetime.ts';

/** The member's card code, requested again once it is eight minutes old (`docs/rules/pages.md`, "Member pages"). */
export const cardCodeQuery = {
  ...orpc.functions.generateQrToken.queryOptions({ input: {} }),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    // The code is as old as its request at most.
    const arrived = momentNow();
    return { ...(await api.functions.generateQrToken({}, { signal })), arrived };
  },
  staleTime: CARD_REFRESH_SECONDS * 1000,
  gcTime: CARD_TTL_SECONDS * 1000,
  refetchOnWindowFocus: true,
  refetchOnReconnect: true,
  retry: false,
} as const;
