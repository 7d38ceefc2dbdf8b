import contract from 'virtual:contract';
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { Contract } from '../../contract/index.ts';
import { REFERENCE_HEADER } from '../../domain/monitoring/reference.ts';
import { watched } from './build.ts';
import { referenceHeaders } from './reference.ts';

const link = new OpenAPILink(contract, {
  url: () => `${window.location.origin}/api`,
  headers: referenceHeaders,
  fetch: (request, init) => watched(request.method, fetch(request, { ...init, credentials: 'same-origin' })),
  customErrorResponseBodyDecoder: (body, { status, headers }) => {
    const { code, message, data } = (body ?? {}) as { code?: string; message?: string; data?: unknown };
    if (!code) return null;
    const error = new ORPCError(code, { defined: true, status, message, data });
    return Object.assign(error, { reference: [headers[REFERENCE_HEADER]].flat()[0] ?? null });
  },
});

/** Calls by name: `api.pours.record({...})`. Rejects with ORPCError; read it with `refusalOf`. */
export const api: JsonifiedClient<ContractRouterClient<Contract>> = createORPCClient(link);

export const orpc = createTanstackQueryUtils(api);

export { refusalOf, serverMessage } from './api-error.ts';
