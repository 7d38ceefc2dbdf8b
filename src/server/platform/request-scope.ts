import { AsyncLocalStorage } from 'node:async_hooks';

/** What everything done for a request may know of it. */
export interface RequestScope {
  /** Names the request in logs, in the database's log and on the user's screen: domain/monitoring/reference.ts. */
  reference: string;
  /** The call of the contract, such as 'pours.record', once it is known. */
  call: string | null;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Runs the work of a request; everything it awaits finds its scope. */
export const inRequest = <T>(scope: RequestScope, work: () => T): T => scopes.run(scope, work);

/** The request that is being answered; null outside of one, as in the sweeper. */
export const currentRequest = (): RequestScope | null => scopes.getStore() ?? null;
