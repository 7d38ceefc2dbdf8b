import { ORPCError } from '@orpc/server';
import { Refusal } from '../../contract/refusals.ts';
import { type Role, SessionChangedError } from '../platform/actor.ts';

interface Session {
  session_id: string;
  role: Role | null;
  two_factor: boolean;
}

interface Callers<Actor> {
  authenticate(tablets: 'tablets too'): Promise<Actor | null>;
  recall(): Actor | null;
}

type Act<Actor, Result> = (actor: Actor | null) => Promise<Result>;

/** Runs a call with the session as it is now. */
export const withCurrentSession = async <Actor, Result>(
  callers: Callers<Actor>,
  act: Act<Actor, Result>,
): Promise<Result> => act(await callers.authenticate('tablets too'));

/**
 * Runs a call with the remembered session, for verbs whose statement checks that it still stands. Starts again with the
 * current session if that has changed. Passes a refusal on only while the session stands.
 */
export async function withRememberedSession<Actor extends Session, Result>(
  callers: Callers<Actor>,
  act: Act<Actor, Result>,
): Promise<Result> {
  const remembered = callers.recall();
  if (!remembered) return withCurrentSession(callers, act);
  try {
    return await act(remembered);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const current = await callers.authenticate('tablets too');
    const same = isSame(remembered, current) && !(error instanceof SessionChangedError);
    if (same) throw error;
    return await act(current);
  }
}

/** Whether a call was refused. Server failures are passed on unchanged: they reveal nothing. */
const isRefusal = (error: unknown) =>
  error instanceof Refusal ||
  error instanceof SessionChangedError ||
  (error instanceof ORPCError && error.status < 500);

const isSame = (one: Session, other: Session | null) =>
  one.session_id === other?.session_id && one.role === other.role && one.two_factor === other.two_factor;
