import type { RefusalCode, RefusalData } from '../../domain/refusal.ts';

/** What every error of the API has, whichever client made the call. */
interface ApiErrorLike extends Error {
  status: number;
  code: string;
  data?: unknown;
  /** Names the request in the server's log: domain/monitoring/reference.ts. */
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

/** True for errors that came from the API, also for those of the API client, which has its own class. */
export function isApiError(error: unknown): error is ApiErrorLike {
  return error instanceof Error && 'status' in error && 'code' in error;
}

/** The data of a refusal of that code, null when the error is another one. */
export function refusalOf<C extends RefusalCode>(error: unknown, code: C): { data: RefusalData[C] } | null {
  return isApiError(error) && error.code === code ? { data: error.data as RefusalData[C] } : null;
}

/** What a user can read out of an unexpected error; null where the server meant what it said, or never answered. */
export function referenceOf(error: unknown): string | null {
  return isApiError(error) && error.status >= 500 ? (error.reference ?? null) : null;
}

/** The server's own words for a user, or null when it never answered. */
export function serverMessage(error: unknown): string | null {
  return isApiError(error) && error.status < 500 ? error.message : null;
}
