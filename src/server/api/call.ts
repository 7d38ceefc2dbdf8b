import type { ContractProcedure, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import type { Contract } from '../../contract/index.ts';
import type { ApiScope } from '../../domain/staff/api-scope.ts';
import type { PaymentLimits } from '../billing/billing-context.ts';
import type { CallLimitKind } from '../platform/call-limit-kinds.ts';
import type { ApiContext, AuthorizedContext } from './authorize.ts';
import type { OpenPolicy, PolicyName } from './policies.ts';

export type CallName = {
  [Noun in keyof Contract & string]: `${Noun}.${keyof Contract[Noun] & string}`;
}[keyof Contract & string];

type ProcedureOf<Name extends CallName> =
  Name extends `${infer Noun extends keyof Contract & string}.${infer Verb}`
    ? Contract[Noun][Verb & keyof Contract[Noun]]
    : never;

type Verb<Context, Procedure> =
  Procedure extends ContractProcedure<infer Input, infer Output, infer _Errors, infer _Meta>
    ? (
        ctx: Context,
        input: InferSchemaOutput<Input>,
      ) => InferSchemaInput<Output> | Promise<InferSchemaInput<Output>>
    : never;

interface Rules {
  /** How often one user, or one client IP before sign-in, may make the call. docs/rules/api.md, "Rate limits". */
  limit: CallLimitKind;
  /**
   * The scope that an API client needs, besides its user's role and permission. Without one, the call is closed to API
   * clients whatever its policy says. docs/rules/api.md, "API clients".
   */
  scope?: ApiScope;
  /** Refuses the call with PAYMENTS_OFF, before its verb, while there is no key of Stripe. */
  payments?: 'on';
  /** How long the whole call may wait for Stripe: for a member, or staff with a guest. docs/rules/api.md, "Other limits". */
  waits?: keyof PaymentLimits;
  /** Reads the session again after the call, so that the response removes its cookies. */
  endsSession?: true;
  /** Refuses apps before their input is validated. */
  browserOnly?: true;
}

/** One call: who may make it, how often, and the verb `(ctx, input)` that carries it out. */
export type Call<Name extends CallName = CallName> = Rules &
  (
    | { policy: PolicyName; verb: Verb<AuthorizedContext, ProcedureOf<Name>> }
    | { policy: OpenPolicy; verb: Verb<ApiContext, ProcedureOf<Name>> }
  );

export type Calls = { [Name in CallName]: Call<Name> };
