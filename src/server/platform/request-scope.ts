import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestScope {
  /** The request's id in logs, the database's log and on the user's screen: domain/monitoring/reference.ts. */
  reference: string;
  /** The call of the contract, such as 'pours.record', once it is known. */
  call: string | null;
}

const scopes = new AsyncLocalStorage<RequestScope>();

export const inRequest = <T>(scope: RequestScope, work: () => T): T => scopes.run(scope, work);

/** The current request; null outside of one, as in the sweeper. */
export const currentRequest = (): RequestScope | null => scopes.getStore() ?? null;
