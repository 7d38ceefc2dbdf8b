import contract from 'virtual:contract';
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { Contract } from '../../contract/index.ts';
import type { RefusalCode, RefusalData } from '../../domain/refusal.ts';

const link = new OpenAPILink(contract, {
  url: () => `${window.location.origin}/api`,
  fetch: (request, init) => fetch(request, { ...init, credentials: 'same-origin' }),
});

/** Calls by name: `api.pours.record({...})`. Rejects with ORPCError; read it with `refusalOf`. */
export const api: JsonifiedClient<ContractRouterClient<Contract>> = createORPCClient(link);

/** The same calls for React Query: `orpc.tiers.list.queryOptions()`. */
export const orpc = createTanstackQueryUtils(api);

/** The data of a refusal with this code; null for any other error. */
export function refusalOf<C extends RefusalCode>(error: unknown, code: C): { data: RefusalData[C] } | null {
  if (error instanceof ORPCError && error.code === code) return { data: error.data as RefusalData[C] };
  return null;
}

/** The server's message for the user; null if it did not answer or failed. */
export function serverMessage(error: unknown): string | null {
  return error instanceof ORPCError && error.status < 500 ? error.message : null;
}
