import { APIError } from 'better-auth/api';
import { REFUSALS, Refusal, type RefusalCode } from '../../contract/refusals.ts';

type Status = ConstructorParameters<typeof APIError>[0];

/**
 * Wraps a refusal that a hook of the auth library throws, because the library replaces other errors by its own.
 * library-call.ts unwraps it. Anything but a refusal passes unchanged.
 */
export function toAuthError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const code = error.code as RefusalCode;
  const { status, message } = REFUSALS[code];
  return new APIError(status as Status, { code, message, data: error.data });
}
