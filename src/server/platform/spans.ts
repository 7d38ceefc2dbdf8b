type Attributes = Record<string, string | number | boolean>;

interface SpanStart {
  /** One of few: no ids in it. */
  name: string;
  kind: 'server' | 'internal' | 'client';
  attributes?: Attributes;
}

/** What work can add to its span. */
interface SpanNotes {
  set(attributes: Attributes): void;
  /** Replaces the name, when it is only known later. */
  rename(name: string): void;
  fail(): void;
}

/** Records which work ran inside which, and for how long; absent unless traces are sent somewhere. */
export interface Spans {
  /** Runs the work in a span of its own, a child of the span that is running. What it throws goes through. */
  run<T>(start: SpanStart, work: (notes: SpanNotes) => Promise<T>): Promise<T>;
  /** Whether a span is running, so that loose statements of background work make no traces of their own. */
  isRunning(): boolean;
}
