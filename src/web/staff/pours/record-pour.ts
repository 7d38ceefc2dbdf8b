import { ORPCError } from '@orpc/client';
import type { BarBenefit, TakeBenefitInput } from '../../../contract/benefits.ts';
import type { Pour, RecordPourInput } from '../../../contract/pours.ts';
import type { RefusalCode } from '../../../contract/refusals.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { logFailure } from '../../api/log-failure.ts';

type BarOutcome<Answer> =
  | ({ kind: 'recorded' } & Answer)
  /** Nothing was recorded. `reason` is the server's message, if any. `forNow`: the same pour may be recorded after a sign-in. */
  | { kind: 'refused'; reason: string | null; forNow: boolean }
  /** The server failed: the pour may have been recorded. Only the same request can be sent again. */
  | { kind: 'unanswered'; error: unknown }
  /**
   * No answer in time, or the server is unreachable or overloaded. `attempted`: the pour was sent at least once, and may
   * have been recorded.
   */
  | { kind: 'unsent'; attempted: boolean };

export type PourOutcome =
  | BarOutcome<{ pour: Pour; pours_balance: number }>
  | { kind: 'too_many'; available: number };

export type UseOutcome = BarOutcome<{ use_id: string; benefits: BarBenefit[] }>;

/** Statuses from a gateway without its server, and from our server when overloaded: try later. */
const LATER = [429, 502, 503, 504];

/** Refusals about the person who sends, not about the pour. */
const ABOUT_SENDER: RefusalCode[] = ['NOT_SIGNED_IN', 'TWO_FACTOR_REQUIRED'];

/** Sends a pour. Sending the same request_id again returns the first result. Never rejects. */
export async function sendPour(input: RecordPourInput): Promise<PourOutcome> {
  try {
    return { kind: 'recorded', ...(await api.pours.record(input, inTime())) };
  } catch (error) {
    logFailure('Recording a pour', error);
    // The glass counts, even if a clock was wrong.
    if (input.poured_at && refusalOf(error, 'POUR_TIME_REFUSED')) {
      const { poured_at: _, ...untimed } = input;
      return sendPour(untimed);
    }
    const refusal = refusalOf(error, 'POURS_EXCEEDED');
    return refusal ? { kind: 'too_many', available: refusal.data.available_pours } : failedOutcome(error);
  }
}

/** Sends the taking of a benefit. Sending the same request_id again takes nothing. Never rejects. */
export async function sendUse(input: TakeBenefitInput): Promise<UseOutcome> {
  try {
    return { kind: 'recorded', ...(await api.benefits.take(input, inTime())) };
  } catch (error) {
    logFailure('Recording a benefit', error);
    return failedOutcome(error);
  }
}

function failedOutcome(error: unknown): Exclude<BarOutcome<unknown>, { kind: 'recorded' }> {
  if (!(error instanceof ORPCError) || LATER.includes(error.status))
    return { kind: 'unsent', attempted: true };
  if (error.status >= 500) return { kind: 'unanswered', error };
  // A portal or proxy refused it: our server's refusals have a code.
  if (!error.defined) return { kind: 'unsent', attempted: true };
  const forNow = ABOUT_SENDER.some((code) => refusalOf(error, code));
  return { kind: 'refused', reason: serverMessage(error), forNow };
}

/** Whether the same request can succeed later: our server did not answer it, failed, or does not know who sends it. */
export const isForLater = (error: unknown): boolean =>
  !(error instanceof ORPCError) ||
  error.status >= 500 ||
  LATER.includes(error.status) ||
  !error.defined ||
  ABOUT_SENDER.some((code) => refusalOf(error, code));

export function tooManyPoursText(available: number): string {
  return `Only ${available} pours available in current billing period`;
}
