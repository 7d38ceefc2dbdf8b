import { useEffect, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { currentUser, forgetSession, type SessionUser } from '../../api/session.ts';

/** taken: another account has the email now. failed: the server was unreachable, so the link may still work. */
export type Outcome = 'done' | 'invalid' | 'taken' | 'failed';

/** One call for each link, even if the page renders again: a second call would find the link used. */
const followed = new Map<string, Promise<Outcome>>();

function follow(token: string, call: (input: { token: string }) => Promise<unknown>): Promise<Outcome> {
  const known = followed.get(token);
  if (known) return known;
  const outcome = call({ token }).then(
    () => {
      forgetSession();
      return 'done' as const;
    },
    (error) => {
      if (isApiError(error) && [400, 401].includes(error.status)) return 'invalid' as const;
      followed.delete(token);
      return isApiError(error) && error.status === 422 ? ('taken' as const) : ('failed' as const);
    },
  );
  followed.set(token, outcome);
  return outcome;
}

/** Sends the token of an emailed link as soon as the page opens, then reads who is signed in (`user`). */
export function useFollowedLink(token: string, call: (input: { token: string }) => Promise<unknown>) {
  const [state, setState] = useState<Outcome | 'checking'>(token ? 'checking' : 'invalid');
  const [user, setUser] = useState<SessionUser | null>(null);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round tries again
  useEffect(() => {
    let left = false;
    const read = async () => {
      const outcome = token ? await follow(token, call) : 'invalid';
      const current = await currentUser().catch(() => null);
      if (left) return;
      setUser(current);
      setState(outcome);
    };
    void read();
    return () => {
      left = true;
    };
  }, [token, round]);

  const retry = () => {
    setState('checking');
    setRound(round + 1);
  };
  return { state, user, retry };
}
