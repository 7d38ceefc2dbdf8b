import { useEffect, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { currentUser, forgetSession, type SessionUser } from '../../api/session.ts';

/**
 * press: this browser is not signed in to the account, so its user confirms by a button. taken: another account has the
 * email now. failed: the server was unreachable, so the link may still work.
 */
export type Outcome = 'done' | 'press' | 'invalid' | 'taken' | 'failed';

type Follow = (input: { token: string; opened?: true }) => Promise<{ press?: true }>;

/** One call for each link, even if the page renders again. */
const followed = new Map<string, Promise<Outcome>>();

function follow(token: string, call: Follow, how: { opened?: true }): Promise<Outcome> {
  const outcome = call({ token, ...how }).then(
    ({ press }) => {
      if (press) return 'press' as const;
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

/**
 * Sends the token of an emailed link as soon as the page opens, and again when `press` is called, then reads who is signed
 * in (`user`).
 */
export function useFollowedLink(token: string, call: Follow) {
  const [state, setState] = useState<Outcome | 'checking'>(token ? 'checking' : 'invalid');
  const [user, setUser] = useState<SessionUser | null>(null);
  const [round, setRound] = useState<{ opened?: true }>({ opened: true });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each render makes another `call`
  useEffect(() => {
    let isGone = false;
    const read = async () => {
      const earlier = round.opened && followed.get(token);
      const outcome = token ? await (earlier || follow(token, call, round)) : 'invalid';
      const current = await currentUser().catch(() => null);
      if (isGone) return;
      setUser(current);
      setState(outcome);
    };
    void read();
    return () => {
      isGone = true;
    };
  }, [token, round]);

  const again = (how: { opened?: true }) => () => {
    setState('checking');
    setRound(how);
  };
  return { state, user, retry: again({ opened: true }), press: again({}) };
}
