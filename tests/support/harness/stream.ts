import type { Caller } from './caller.ts';

export interface OpenStream {
  /** The data of each event received so far, in order. */
  received: string[];
  /** Resolves when that many events have arrived in total. Rejects after 15 seconds. */
  until(count: number): Promise<string[]>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  close(): void;
}

/** Opens the caller's stream of changes, or the venue's. Resolves once the server listens for them. */
export async function openStream(caller: Caller, path = '/api/events'): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await caller.raw('GET', path, { signal: abort.signal });
  if (response.status !== 200 || !response.body) throw new Error(`${path} answered ${response.status}`);
  const received: string[] = [];
  let wake: () => void = () => undefined;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader.read();
  const read = async (text = '') => {
    let rest = text;
    for (;;) {
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data) received.push(JSON.parse(data) as string);
      }
      wake();
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
    }
  };
  const ended = read(first.value).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
  return {
    received,
    ended,
    close: () => abort.abort(),
    until: (count) =>
      new Promise((resolve, reject) => {
        const timeout = setTimeout(
          () => reject(new Error(`only [${received}] arrived, not ${count}`)),
          15_000,
        );
        wake = () => {
          if (received.length < count) return;
          clearTimeout(timeout);
          resolve(received);
        };
        wake();
      }),
  };
}
