import { implement, ORPCError } from '@orpc/server';
import { contract } from '../../contract/index.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { ApiScope } from '../../domain/staff/api-scope.ts';
import type { Bearer } from '../auth/app-sessions/bearer.ts';
import type { LibraryContext } from '../auth/library-call.ts';
import { hasPermission } from '../auth/team/permissions.ts';
import type { PaymentLimits } from '../billing/billing-context.ts';
import { assertPaymentsOn } from '../billing/payments-off.ts';
import { withinLimit } from '../billing/time-limit.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/client.ts';
import { asMember, NO_DATABASE } from '../db/row-security.ts';
import { type Actor, SessionChangedError } from '../platform/actor.ts';
import { CALL_LIMIT_KINDS, type CallLimitKind, CLIENT_IP_LIMIT } from '../platform/call-limit-kinds.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import type { FloodLimit } from '../platform/flood-limit.ts';
import type { MemberEvents } from '../realtime/member-events.ts';
import { toContractError } from './errors.ts';
import { type OpenPolicy, POLICIES, type Policy, type PolicyName } from './policies.ts';

export interface AuthenticatedActor extends Actor {
  session_id: string;
  two_factor: boolean;
  /** True for an API client, which has its user's role within its scopes and cannot change the account. */
  api_client: boolean;
  /** The scopes of an API client's token; empty for users. */
  scopes: readonly ApiScope[];
  /** True for an app's session, held in tokens; browsers use cookies. */
  app: boolean;
}

/** Context of a request: the services, and how to identify the caller. */
export interface ApiContext extends Services, Omit<LibraryContext, 'log'> {
  live: MemberEvents;
  flood: FloodLimit;
  bearer: Bearer;
  /** The caller; null if not signed in. Staff on a shared tablet are found only with 'tablets too'. */
  authenticate(tablets?: 'tablets too'): Promise<AuthenticatedActor | null>;
  /** The caller from a session read earlier; null if not remembered. */
  recall(): AuthenticatedActor | null;
  staffNeedTwoFactor: boolean;
}

export interface AuthorizedContext extends ApiContext {
  actor: AuthenticatedActor;
}

/** True for staff who must set up two-step sign-in before anything else. */
export const mustEnrollTwoFactor = (
  user: Pick<AuthenticatedActor, 'role' | 'two_factor'>,
  isRequired: boolean,
): boolean => isRequired && user.role === 'staff' && !user.two_factor;

const clientIpOf = ({ headers }: ApiContext) => headers.get(CLIENT_IP_HEADER) ?? '';

// Authenticate before validating, so that anonymous callers cannot probe the schema.
export const os = implement(contract)
  .$context<ApiContext>()
  .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY });

/** Throws Refusal NOT_ALLOWED for a call that is closed to API clients, SCOPE_NEEDED if only the scope is missing. */
function assertScope({ scopes }: AuthenticatedActor, scope: ApiScope | undefined, apiClients: boolean): void {
  if (!apiClients || !scope) throw new Refusal('NOT_ALLOWED');
  if (!scopes.includes(scope)) throw new Refusal('SCOPE_NEEDED', { scope });
}

interface Rules {
  policy: PolicyName | OpenPolicy;
  limit: CallLimitKind;
  scope?: ApiScope;
  payments?: 'on';
  waits?: keyof PaymentLimits;
}

export function enforce(name: string, { policy, limit, scope, payments, waits }: Rules) {
  if (policy === 'everyone' || policy === 'signingIn') {
    return os.middleware(async ({ context, next }) => {
      try {
        countCall(context.flood, name, limit, null, clientIpOf(context));
        // A good token of the wrong kind: a client that got 401 would ask for a new one, and again.
        if (policy === 'signingIn' && context.bearer.kind === 'api client') throw new Refusal('NOT_ALLOWED');
        return await next();
      } catch (error) {
        throw toContractError(error);
      }
    });
  }
  const rules: Policy = POLICIES[policy];
  const { roles, permission, twoFactor, apiClients, tablets, database, session } = rules;
  const inTheNameOf = session === 'checked by the verb' ? withRememberedSession : withCurrentSession;
  return os.middleware(async ({ context, next }) => {
    const act = async (actor: AuthenticatedActor | null) => {
      countCall(context.flood, name, limit, actor, clientIpOf(context));
      if (!actor) throw new Refusal('NOT_SIGNED_IN');
      if (!actor.role || !roles.includes(actor.role)) throw new Refusal('NOT_ALLOWED');
      if (actor.api_client) assertScope(actor, scope, apiClients);
      if (actor.bar_device_id && !tablets) throw new Refusal('NOT_ALLOWED');
      if (twoFactor && mustEnrollTwoFactor(actor, context.staffNeedTwoFactor)) {
        throw new Refusal('TWO_FACTOR_REQUIRED');
      }
      if (permission && !(await hasPermission(context, actor.user_id, permission))) {
        throw new Refusal('NOT_ALLOWED');
      }
      const { billing } = context;
      if (payments) assertPaymentsOn(billing);
      const run = async (db: Db) => {
        if (!waits) return next({ context: { actor, db, billing } });
        const ms = billing.limits[waits];
        return withinLimit(billing, ms, async (limitedBilling) =>
          next({ context: { actor, db, billing: limitedBilling } }),
        );
      };
      if (database === 'none') return await run(NO_DATABASE);
      if (database === 'all' || actor.role === 'staff') return await run(context.db);
      return await asMember(context.db, actor.user_id, run);
    };
    try {
      return await inTheNameOf(context, act);
    } catch (error) {
      throw toContractError(error);
    }
  });
}

/** Refuses apps, before their input is validated, in calls that need a browser. Comes after `enforce`. */
export const browserOnly = os.middleware(async ({ context, next }) => {
  if (context.bearer.kind === 'session') throw new Refusal('BROWSER_NEEDED');
  return next();
});

/** Reads the session again after a call that ends it, so that the response removes its cookies. */
export const clearEndedSession = os.middleware(async ({ context, next }) => {
  const result = await next();
  await context.authenticate();
  return result;
});

type Act<Result> = (actor: AuthenticatedActor | null) => Promise<Result>;

const withCurrentSession = async <Result>(callers: ApiContext, act: Act<Result>): Promise<Result> =>
  act(await callers.authenticate('tablets too'));

/**
 * Runs a call with the remembered session, for verbs whose statement checks that it still stands. Starts again with the
 * current session if that has changed. Passes a refusal on only while the session stands.
 */
async function withRememberedSession<Result>(callers: ApiContext, act: Act<Result>): Promise<Result> {
  const actor = callers.recall();
  if (!actor) return withCurrentSession(callers, act);
  try {
    return await act(actor);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const current = await callers.authenticate('tablets too');
    const isUnchanged = isSame(actor, current) && !(error instanceof SessionChangedError);
    if (isUnchanged) throw error;
    return await act(current);
  }
}

/** Whether a call was refused. Server failures are passed on unchanged: they reveal nothing. */
const isRefusal = (error: unknown) =>
  error instanceof Refusal ||
  error instanceof SessionChangedError ||
  (error instanceof ORPCError && error.status < 500);

const isSame = (actor: AuthenticatedActor, other: AuthenticatedActor | null) =>
  actor.session_id === other?.session_id &&
  actor.role === other.role &&
  actor.two_factor === other.two_factor;

/**
 * Counts a call per account (per client IP for visitors), and all calls of a client IP together. Staff are not counted per
 * client IP: guests on the venue's network must not block a pour. Throws Refusal TOO_MANY_ATTEMPTS.
 */
export function countCall(
  flood: FloodLimit,
  name: string,
  limit: CallLimitKind,
  actor: Actor | null,
  clientIp: string,
): void {
  if (actor?.role !== 'staff') flood.take(`any call|${clientIp}`, CLIENT_IP_LIMIT);
  flood.take(`${name}|${actor?.user_id ?? clientIp}`, CALL_LIMIT_KINDS[limit]);
}
