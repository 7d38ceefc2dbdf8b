import { CARD_REFRESH_SECONDS, CARD_TTL_SECONDS } from '../../../domain/card.ts';
import { orpc } from '../../api/client.ts';

/** The member's card code, requested again once it is eight minutes old (`docs/rules/pages.md`, "Member pages"). */
export const cardCodeQuery = {
  ...orpc.functions.generateQrToken.queryOptions({ input: {} }),
  staleTime: CARD_REFRESH_SECONDS * 1000,
  gcTime: CARD_TTL_SECONDS * 1000,
  refetchOnWindowFocus: true,
  refetchOnReconnect: true,
  retry: false,
} as const;
