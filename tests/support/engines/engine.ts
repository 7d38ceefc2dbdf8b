/** A browser engine that is driven by scripts in its page. */
export interface Engine {
  open(url: string): Promise<void>;
  /** Runs the source of an async function in the page, with JSON arguments; resolves with its value. */
  run<Value>(source: string, ...args: unknown[]): Promise<Value>;
  close(): Promise<void>;
}
