import { ORPCError } from '@orpc/server';
import { REFUSALS } from '../../contract/refusals.ts';
import { Refusal, type RefusalCode } from '../../domain/refusal.ts';

/** The one place where a refusal becomes an error of the contract. Other errors pass unchanged. */
export function toContractError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const code = error.code as RefusalCode;
  const { status, message } = REFUSALS[code];
  return new ORPCError(code, { defined: true, status, message, data: error.data, cause: error });
}
