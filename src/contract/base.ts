import './messages.ts';
import {
  type AnyContractProcedure,
  type InferSchemaInput,
  type InferSchemaOutput,
  oc,
  type Route,
} from '@orpc/contract';
import { z } from 'zod';
import { refusals } from './refusals.ts';
import { text } from './text.ts';

export { day } from './forms/text-field.ts';

/** Changes how the published document describes an operation. */
export type Spec = Extract<NonNullable<Route['spec']>, (...args: never) => unknown>;

/** The parts of a route that answers with a file: its output has headers and a body. */
export const answersFile = (type: string) => {
  const spec: Spec = (operation) => {
    const content = { [type]: { schema: { type: 'string' as const } } };
    const { 200: answer, ...refusals } = operation.responses ?? {};
    return { ...operation, responses: { ...refusals, 200: { description: 'OK', ...answer, content } } };
  };
  return { outputStructure: 'detailed', spec } as const;
};

/** The base of every procedure: each may refuse a caller who is not signed in, not allowed, or too fast. */
const procedure = oc.errors(
  refusals('NOT_SIGNED_IN', 'NOT_ALLOWED', 'SCOPE_NEEDED', 'TWO_FACTOR_REQUIRED', 'TOO_MANY_ATTEMPTS'),
);

/** The published text of a call, and what differs from one that takes and answers JSON with status 200. */
type RouteTexts = Omit<Route, 'method' | 'path'>;

const verb = (method: Route['method']) => (path: NonNullable<Route['path']>, texts: RouteTexts) =>
  procedure.route({ ...texts, method, path });

/** The input of a call, as its verb gets it. */
export type InputOf<Call extends AnyContractProcedure> = InferSchemaOutput<
  NonNullable<Call['~orpc']['inputSchema']>
>;

/** The output of a call, as its verb gives it. */
export type OutputOf<Call extends AnyContractProcedure> = InferSchemaInput<
  NonNullable<Call['~orpc']['outputSchema']>
>;

export const GET = verb('GET');
export const POST = verb('POST');
export const PUT = verb('PUT');
export const PATCH = verb('PATCH');
export const DELETE = verb('DELETE');

export const id = text(36, 'Invalid uuid').check(z.uuid());
/** ISO 8601 with time zone, UTC. */
export const timestamp = text(40, 'Invalid datetime').check(z.iso.datetime({ offset: true }));
export const epochSeconds = z.number().int();
export const cents = z.number().int();

/** An opaque position in a list: absent for the first page, null after the last. */
export const cursor = text(200).optional();
export const LINK_INCOMPLETE = 'This link is incomplete.';
/** The secret of a link in an email or a code to scan. */
export const linkToken = text(43, LINK_INCOMPLETE).regex(/^[\w-]{43}$/, LINK_INCOMPLETE);

export const searchText = text(100).default('');
