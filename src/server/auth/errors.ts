import { APIError } from 'better-auth/api';
import { REFUSALS } from '../../contract/refusals.ts';
import { Refusal, type RefusalCode } from '../../domain/refusal.ts';

type Status = ConstructorParameters<typeof APIError>[0];

/** A refusal as the identity library answers it. */
export function authError(code: RefusalCode): APIError {
  const { status, message } = REFUSALS[code];
  return new APIError(status as Status, { code, message });
}

/** What one of our verbs threw, as the library throws its own; anything but a refusal stays what it is. */
export function toAuthError(error: unknown): unknown {
  return error instanceof Refusal ? authError(error.code) : error;
}
