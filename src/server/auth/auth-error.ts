import { APIError } from 'better-auth/api';
import { REFUSALS } from '../../contract/refusals.ts';
import { Refusal, type RefusalCode } from '../../domain/refusal.ts';

type Status = ConstructorParameters<typeof APIError>[0];

/**
 * What a hook of the auth library throws to refuse: the library replaces errors of other kinds by its own.
 * library-call.ts turns it back into the refusal. Anything but a refusal stays what it is.
 */
export function toAuthError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const code = error.code as RefusalCode;
  const { status, message } = REFUSALS[code];
  return new APIError(status as Status, { code, message, data: error.data });
}
