import { useEffect } from 'react';
import { logFailure } from '../api/log-failure.ts';

/** Logs a query's error, which the page does not show. */
export function useLogged(action: string, error: unknown): void {
  useEffect(() => {
    if (error) logFailure(action, error);
  }, [action, error]);
}
