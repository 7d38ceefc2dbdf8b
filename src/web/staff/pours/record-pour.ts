import { ORPCError } from '@orpc/client';
import type { Pour } from '../../../contract/pours.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import type { PourOrder } from './pour-state.ts';

/** After this long a bar takes no answer for none. */
const PATIENCE_MS = 8_000;

export type PourOutcome =
  | { kind: 'recorded'; pour: Pour; pours_balance: number }
  | { kind: 'too_many'; available: number }
  /** Nothing was poured; why, in the server's words, when it gave any. */
  | { kind: 'refused'; why: string | null }
  /** The server failed over it: it may have been counted. Only the same request again is safe. */
  | { kind: 'unanswered' }
  /** The server was not reached; `attempted`: the pour itself went out, and may have been counted. */
  | { kind: 'unsent'; attempted: boolean };

export interface PourRequest extends PourOrder {
  request_id: string;
  customer_id: string;
}

/** Statuses of a gateway whose server is away. */
const AWAY = [502, 503, 504];

function failureOf(error: unknown): 'unreached' | 'failed' | 'refused' {
  if (!(error instanceof ORPCError) || AWAY.includes(error.status)) return 'unreached';
  return error.status < 500 ? 'refused' : 'failed';
}

/** The pour itself. Sending it again with the same request_id answers the first result. */
export async function sendPour(pour: PourRequest): Promise<PourOutcome> {
  const { request_id, customer_id, quantity, location, notes } = pour;
  try {
    const answer = await api.pours.record(
      { request_id, customer_id, quantity, location, notes },
      { signal: AbortSignal.timeout(PATIENCE_MS) },
    );
    return { kind: 'recorded', pour: answer.pour, pours_balance: answer.pours_balance };
  } catch (error) {
    logFailure('Recording a pour', error);
    const exceeded = refusalOf(error, 'POURS_EXCEEDED');
    if (exceeded) return { kind: 'too_many', available: exceeded.data.available_pours };
    const failure = failureOf(error);
    if (failure === 'unreached') return { kind: 'unsent', attempted: true };
    return failure === 'failed' ? { kind: 'unanswered' } : { kind: 'refused', why: serverMessage(error) };
  }
}

/** What the server says is available, or why the pour cannot go ahead. */
export async function checkAvailable(
  customerId: string,
): Promise<{ kind: 'available'; available: number } | Extract<PourOutcome, { kind: 'refused' | 'unsent' }>> {
  try {
    const { available_pours } = await api.functions.getAvailablePours(
      { customer_id: customerId },
      { signal: AbortSignal.timeout(PATIENCE_MS) },
    );
    return { kind: 'available', available: available_pours };
  } catch (error) {
    logFailure('Availability', error);
    if (failureOf(error) === 'unreached') return { kind: 'unsent', attempted: false };
    return { kind: 'refused', why: serverMessage(error) };
  }
}

export function tooManyPours(available: number): string {
  return `Only ${available} pours available in current billing period`;
}
