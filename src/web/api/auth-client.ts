import routes from 'virtual:auth-routes';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import type { Contract } from '../../contract/index.ts';
import { REFERENCE_HEADER } from '../../domain/monitoring/reference.ts';
import { ApiError } from './api-error.ts';
import { watched } from './build.ts';
import { inTime } from './in-time.ts';
import { referenceHeaders } from './reference.ts';

type AuthClient = JsonifiedClient<ContractRouterClient<Contract['auth']>>;
type Input = Record<string, unknown> | undefined;

async function call(method: string, path: string, input: Input = {}): Promise<unknown> {
  const body = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(body[name]);
    delete body[name];
    return encodeURIComponent(value);
  });
  const answer = fetch(`/api${filled}`, {
    method,
    ...inTime(),
    credentials: 'same-origin',
    headers: { ...referenceHeaders(), ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  });
  const response = await watched(method, answer);
  if (response.ok) return response.json();
  const { code, message, data } = (await response.json().catch(() => null)) ?? {};
  const reference = response.headers.get(REFERENCE_HEADER);
  throw new ApiError(response.status, { code, message, data, reference });
}

/** Rejects with ApiError, or another error if the server is unreachable. The libraries of client.ts would burden /login. */
export const auth = new Proxy({} as AuthClient, {
  get: (_, name: keyof AuthClient) => {
    const { method, path } = routes[name];
    return (input: Input) => call(method, path, input);
  },
});
