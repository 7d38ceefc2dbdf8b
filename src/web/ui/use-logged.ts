import { useEffect } from 'react';
import { logFailure } from '../api/log-failure.ts';

export function useLogged(action: string, error: unknown): void {
  useEffect(() => {
    if (error) logFailure(action, error);
  }, [action, error]);
}
