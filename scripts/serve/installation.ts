import type { Env } from '../../src/server/config/env.ts';
import type { TlsKeys } from '../../src/server/http/listener.ts';
import type { RunningServer, ServerOptions } from '../../src/server/main.ts';

/** What a start runs. */
export type Kind = 'club' | 'demo';

/** Without a kind, a start outside of production is the demo if no payment service is configured. */
export const isDemo = (kind: Kind | undefined, env: Pick<Env, 'NODE_ENV' | 'STRIPE_SECRET_KEY'>) =>
  kind === 'demo' || (!kind && env.NODE_ENV !== 'production' && !env.STRIPE_SECRET_KEY);

export interface StartOptions extends Pick<ServerOptions, 'webReady' | 'apiOnly' | 'startsFrom' | 'tls'> {
  kind?: Kind;
  /** Work not needed for the first page waits for this; it never runs if this rejects. */
  opened?: Promise<void>;
}

/** What `--lan` adds to an installation. */
interface Lan {
  /** Lines for the person who started the server: how devices connect, and what to compare. */
  welcome: string[];
}

export interface Installation {
  server: RunningServer;
  /** The sandbox's URL; null if real services are configured. */
  sandboxUrl: string | null;
  mailboxUrl: string | null;
  lan?: Lan;
  /** Replaces the certificate, for new connections. */
  setTls(keys: TlsKeys): void;
  close(): Promise<void>;
}
