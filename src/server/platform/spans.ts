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
