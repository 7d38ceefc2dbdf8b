import type { RefusalCode } from '../../contract/refusals.ts';

export type OutgoingService = 'stripe' | 'model' | 'apple' | 'google';

/** An event to count or time. It never identifies a person, and its texts come from short lists in the code. */
export type Observation =
  /** `call` is a procedure of the contract or the pattern of a route, never a path. */
  | { type: 'request'; call: string; status: number; seconds: number }
  | { type: 'pour recorded'; glasses: number }
  | { type: 'pour repeated' }
  | { type: 'pour refused'; reason: RefusalCode }
  | { type: 'pour voided' }
  | { type: 'webhook'; event: string; outcome: 'done' | 'duplicate' | 'ignored' | 'failed' | 'refused' }
  /** From the event's creation at Stripe until it was processed, by a webhook or the sweeper. */
  | { type: 'event processed'; seconds: number }
  | { type: 'outgoing'; service: OutgoingService; outcome: 'ok' | 'refused' | 'failed'; seconds: number };

/** Never throws or waits. Absent without metrics. */
export type Observe = (observation: Observation) => void;

type Attributes = Record<string, string | number | boolean>;

interface SpanStart {
  /** A name from a small set, without ids. */
  name: string;
  kind: 'server' | 'internal' | 'client';
  attributes?: Attributes;
}

interface SpanNotes {
  set(attributes: Attributes): void;
  /** Replaces the name, if it is only known later. */
  rename(name: string): void;
  fail(): void;
}

/** Records nesting and duration of work; absent unless traces are sent somewhere. */
export interface Spans {
  /** Runs work in a new span, a child of the current one. Rethrows its errors. */
  run<T>(start: SpanStart, work: (notes: SpanNotes) => Promise<T>): Promise<T>;
  /** Whether a span is active, so that statements of background work do not become traces. */
  isRunning(): boolean;
}
