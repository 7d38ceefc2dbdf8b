import { ORPCError } from '@orpc/client';
import { api, refusalOf, serverMessage } from '../../../api/client.ts';
import { logQuietly } from '../../quiet-failure.ts';
import type { PourOrder } from './pour-visit.ts';

export type PourOutcome =
  | { kind: 'recorded'; pours_balance: number }
  | { kind: 'too_many'; available: number }
  /** Nothing was poured; why, in the server's words, when it gave any. */
  | { kind: 'refused'; why: string | null }
  /** No answer came: it may have been counted. Only the same request again is safe. */
  | { kind: 'unanswered' };

interface Pour extends PourOrder {
  request_id: string;
  customer_id: string;
}

interface Attempt {
  pour: Pour;
  /** This very pour was sent before, and its answer lost. */
  sentBefore: boolean;
  /** Called right before the pour itself goes out. */
  onSend: () => void | Promise<void>;
}

/** Checks what is available, then records. */
export async function recordPour({ pour, sentBefore, onSend }: Attempt): Promise<PourOutcome> {
  // A glass that was counted without our knowing is missing from what is available: asking again would refuse the
  // very pour that filled it. The server answers a repeated request with its first result.
  if (!sentBefore) {
    const left = await api.functions
      .getAvailablePours({ customer_id: pour.customer_id })
      .catch((error: unknown) => ({ error }));
    if ('error' in left) {
      logQuietly('Availability', left.error);
      return { kind: 'refused', why: serverMessage(left.error) };
    }
    if (pour.quantity > left.available_pours) return { kind: 'too_many', available: left.available_pours };
  }
  await onSend();
  try {
    const { pours_balance } = await api.pours.record(pour);
    return { kind: 'recorded', pours_balance };
  } catch (error) {
    logQuietly('Recording a pour', error);
    const exceeded = refusalOf(error, 'POURS_EXCEEDED');
    if (exceeded) return { kind: 'too_many', available: exceeded.data.available_pours };
    const answered = error instanceof ORPCError && error.status < 500;
    return answered ? { kind: 'refused', why: serverMessage(error) } : { kind: 'unanswered' };
  }
}

export function tooManyPours(available: number): string {
  return `Only ${available} pours available in current billing period`;
}
