import { ORPCError, ValidationError } from '@orpc/server';
import { REFUSALS, Refusal, type RefusalCode, type RefusalData } from '../../contract/refusals.ts';

/** Every error of the API has this body. `code` is stable; `message` is for users. */
export interface ErrorBody {
  code: string;
  message: string;
  data?: unknown;
}

const SERVER_ERROR = {
  status: 500,
  body: { code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong. Please try again.' },
};

const RETRY_AFTER_SECONDS = 5;

/** The response for failures that pass on their own, such as a database that is restarting. */
export function unavailableResponse(): Response {
  const body: ErrorBody = {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service is not available at the moment. Please try again in a few seconds.',
  };
  return Response.json(body, { status: 503, headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
}

/** A refusal, or a failure whose cause stays in the log, as status and body. */
export function serializeError(error: unknown): { status: number; body: ErrorBody } {
  if (error instanceof Refusal) {
    const { code, data } = error;
    const { status, message } = REFUSALS[code as RefusalCode];
    return { status, body: data === undefined ? { code, message } : { code, message, data } };
  }
  if (!(error instanceof ORPCError) || error.code === SERVER_ERROR.body.code) return SERVER_ERROR;
  const { status, code, message, data } = error;
  return { status, body: data === undefined ? { code, message } : { code, message, data } };
}

/** A refusal as a response, for requests answered outside the API's procedures. */
export function errorResponse<C extends RefusalCode>(
  code: C,
  ...data: RefusalData[C] extends undefined ? [] : [RefusalData[C]]
): Response {
  const { status, body } = serializeError(new Refusal(code, ...data));
  return Response.json(body, { status, headers: retryAfter(body) });
}

function retryAfter({ data }: ErrorBody): Record<string, string> {
  const { retry_after_seconds } = (data ?? {}) as Partial<RefusalData['TOO_MANY_ATTEMPTS']>;
  return retry_after_seconds === undefined ? {} : { 'Retry-After': String(retry_after_seconds) };
}

/** Adds Retry-After to a response of the API's procedures that says how long to wait. */
export async function addRetryAfter(response: Response): Promise<void> {
  if (response.status !== 429) return;
  const body = (await response.clone().json()) as ErrorBody;
  for (const [name, value] of Object.entries(retryAfter(body))) response.headers.set(name, value);
}

/**
 * Turns what a verb throws into an error of the contract, for the whole API. Invalid input names what is wrong with the
 * first field. Everything else passes unchanged, to be logged.
 */
export function toContractError(error: unknown): unknown {
  if (error instanceof Refusal) {
    const { status, body } = serializeError(error);
    return new ORPCError(body.code, {
      defined: true,
      status,
      message: body.message,
      data: body.data,
      cause: error,
    });
  }
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) {
    const issues = error.cause.issues.map(({ path, message }) => ({ path, message }));
    const message = issues[0]?.message ?? error.message;
    return new ORPCError('BAD_REQUEST', { message, data: { issues }, cause: error.cause });
  }
  return error;
}
