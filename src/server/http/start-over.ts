import type { Hono } from 'hono';
import { START_OVER_PATH } from '../../contract/site.ts';

/** Starts a demo again with new data. */
export interface StartOver {
  /** The number of times that this process has started over. An open page waits until it has grown. */
  run: number;
  /** Stops the server once the running requests are answered, and starts it with new data. */
  ask(): void;
}

/** Mounts the calls of the demo's button. Anyone may press it: the demo's passwords are public. */
// biome-ignore lint/suspicious/noExplicitAny: the app's variables do not matter here
export function mountStartOver(app: Hono<any>, { run, ask }: StartOver): void {
  app.get(START_OVER_PATH, (c) => c.json({ run }));
  app.post(START_OVER_PATH, (c) => {
    ask();
    return c.json({ run }, 202);
  });
}
