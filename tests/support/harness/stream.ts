import type { Caller } from './caller.ts';

export interface OpenStream {
  /** What came so far, in order: the data of each event. */
  heard: string[];
  /** Resolves when that many events have come in all; rejects when it takes too long. */
  until(count: number): Promise<string[]>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  close(): void;
}

/** Opens the caller's stream of changes; resolves once the server listens for them. */
export async function openStream(caller: Caller): Promise<OpenStream> {
  const away = new AbortController();
  const response = await caller.raw('GET', '/api/events', { signal: away.signal });
  if (response.status !== 200 || !response.body) throw new Error(`/api/events answered ${response.status}`);
  const heard: string[] = [];
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
        if (data) heard.push(JSON.parse(data) as string);
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
    heard,
    ended,
    close: () => away.abort(),
    until: (count) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`only [${heard}] came, not ${count}`)), 15_000);
        wake = () => {
          if (heard.length < count) return;
          clearTimeout(late);
          resolve(heard);
        };
        wake();
      }),
  };
}
