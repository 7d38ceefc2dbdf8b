import type { RefusalCode, RefusalData } from '../../contract/refusals.ts';

/** The fields of every API error, from either client. */
interface ApiErrorLike extends Error {
  status: number;
  code: string;
  data?: unknown;
  /** Identifies the request in the server's log: domain/monitoring/reference.ts. */
  reference?: string | null;
}

/** A failed call of auth-client.ts: refused by the server, or unanswered. `message` is the server's, or empty. */
export class ApiError extends Error implements ApiErrorLike {
  readonly status: number;
  readonly code: string;
  readonly data: unknown;
  readonly reference: string | null;

  constructor(
    status: number,
    { code = '', message = '', data, reference = null }: Partial<ApiErrorLike> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.data = data;
    this.reference = reference;
  }
}

/** True for errors from the API, including the API client's own error class. */
export function isApiError(error: unknown): error is ApiErrorLike {
  return error instanceof Error && 'status' in error && 'code' in error;
}

export function refusalOf<C extends RefusalCode>(error: unknown, code: C): { data: RefusalData[C] } | null {
  return isApiError(error) && error.code === code ? { data: error.data as RefusalData[C] } : null;
}

/** The reference of an unexpected error, for a user to read out; null for a refusal, or without a response. */
export function referenceOf(error: unknown): string | null {
  return isApiError(error) && error.status >= 500 ? (error.reference ?? null) : null;
}

/** The server's message about a refusal, for the user; null for an unexpected error, or without a response. */
export function serverMessage(error: unknown): string | null {
  return isApiError(error) && error.status < 500 ? error.message : null;
}

export function authErrorText(error: unknown, fallback: string): string {
  return (isApiError(error) && error.message) || fallback;
}
