import type { RunningServer, ServerOptions } from '../src/server/main.ts';

export type StartOptions = Pick<ServerOptions, 'webReady' | 'apiOnly' | 'emptyDatabase'>;

export interface Installation {
  server: RunningServer;
  /** The sandbox's URL, null where real services are configured. */
  sandboxUrl: string | null;
  mailboxUrl: string | null;
  close(): Promise<void>;
}
