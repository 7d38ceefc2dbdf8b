import type { RefusalCode } from '../../contract/refusals.ts';

export type OutgoingService = 'stripe' | 'model' | 'apple' | 'google';

/** An event to count or time. It never identifies a person, and its texts come from short lists in the code. */
export type Observation =
  /** `call` is a procedure of the contract or the pattern of a route, never a path. */
  | { type: 'request'; call: string; status: number; seconds: number }
  | { type: 'pour recorded'; glasses: number }
  /** A repeated request: nothing was poured. */
  | { type: 'pour repeated' }
  | { type: 'pour refused'; reason: RefusalCode }
  | { type: 'pour voided' }
  | { type: 'webhook'; event: string; outcome: 'done' | 'duplicate' | 'ignored' | 'failed' | 'refused' }
  /** From the event's creation at Stripe until it was processed, by a webhook or the sweeper. */
  | { type: 'event processed'; seconds: number }
  | { type: 'outgoing'; service: OutgoingService; outcome: 'ok' | 'refused' | 'failed'; seconds: number };

/** Never throws or waits. Absent without metrics. */
export type Observe = (observation: Observation) => void;
