import type { RefusalCode } from '../../domain/refusal.ts';

/** Another service that the server calls. */
export type OutgoingService = 'stripe' | 'model' | 'apple' | 'google';

/** Something that is counted or timed. It never names anyone, and its texts come from short lists in the code. */
export type Observation =
  /** `call` is a procedure of the contract or the pattern of a route, never a path. */
  | { type: 'request'; call: string; status: number; seconds: number }
  | { type: 'pour recorded'; glasses: number }
  /** The same request again: nothing was poured. */
  | { type: 'pour repeated' }
  | { type: 'pour refused'; reason: RefusalCode }
  | { type: 'pour voided' }
  | { type: 'webhook'; event: string; outcome: 'done' | 'duplicate' | 'ignored' | 'failed' | 'refused' }
  /** From Stripe's creating the event until it was processed, by a webhook or by the sweeper. */
  | { type: 'event processed'; seconds: number }
  | { type: 'outgoing'; service: OutgoingService; outcome: 'ok' | 'refused' | 'failed'; seconds: number };

/** Never throws and never waits. Absent where nobody measures. */
export type Observe = (observation: Observation) => void;
