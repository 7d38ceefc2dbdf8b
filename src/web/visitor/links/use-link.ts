import { useEffect, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';

/** invalid: the server refused the link, or there is none. failed: the server was unreachable, or got too many requests. */
type LinkState<T> = 'reading' | 'invalid' | 'failed' | T;

/** The server's data about the link that opened a page. `token` is empty if the page was opened without one. */
export function useLink<T extends object>(token: string, read: (signal: AbortSignal) => Promise<T>) {
  const [state, setState] = useState<LinkState<T>>(token ? 'reading' : 'invalid');
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round tries again
  useEffect(() => {
    if (!token) return;
    const controller = new AbortController();
    read(controller.signal).then(setState, (error) => {
      if (controller.signal.aborted) return;
      const answered = isApiError(error) && error.status < 500 && error.status !== 429;
      setState(answered ? 'invalid' : 'failed');
    });
    return () => controller.abort();
  }, [token, round]);

  const retry = () => {
    setState('reading');
    setRound(round + 1);
  };
  return { state, setState, retry };
}
