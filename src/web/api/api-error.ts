import type { RefusalCode, RefusalData } from '../../domain/refusal.ts';

/** The fields of every API error, whichever client made the call. */
interface ApiErrorLike extends Error {
  status: number;
  code: string;
  data?: unknown;
  /** Identifies the request in the server's log: domain/monitoring/reference.ts. */
  reference?: string | null;
}

/** A call of auth-client.ts that the server refused, or could not answer. `message` is the server's, or empty. */
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

/** True for errors from the API, including those of the API client, which has its own class. */
export function isApiError(error: unknown): error is ApiErrorLike {
  return error instanceof Error && 'status' in error && 'code' in error;
}

/** The data of a refusal of that code, null when the error is another one. */
export function refusalOf<C extends RefusalCode>(error: unknown, code: C): { data: RefusalData[C] } | null {
  return isApiError(error) && error.code === code ? { data: error.data as RefusalData[C] } : null;
}

/** The reference of an unexpected error, for a user to read out; null for a refusal, or if the server never answered. */
export function referenceOf(error: unknown): string | null {
  return isApiError(error) && error.status >= 500 ? (error.reference ?? null) : null;
}

/** The server's message for the user, or null if it never answered. */
export function serverMessage(error: unknown): string | null {
  return isApiError(error) && error.status < 500 ? error.message : null;
}
