import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface TcpProxy {
  /** The given URL, through the proxy. */
  url: string;
  /** Current connections stay open but carry no more data, as after a failover or behind a forgetful NAT. */
  silence(): void;
  /** New connections are accepted but get no response. */
  swallowNew(on: boolean): void;
  /** The server is unreachable: its connections break, and new ones are refused. */
  cutOff(on: boolean): void;
  /** New connections go to the server at that URL instead. */
  leadTo(target: string): void;
  /** Delays each further chunk by this many milliseconds. */
  slowDown(ms: number): void;
  close(): Promise<void>;
}

/** Passes bytes between a local port and the server at that URL, until a fault is set. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  let url = new URL(target);
  const pairs = new Set<[Socket, Socket | null]>();
  let swallowing = false;
  let away = false;
  let waitMs = 0;
  const slowly = () =>
    new Transform({
      transform(piece, _, done) {
        if (waitMs === 0) done(null, piece);
        else setTimeout(() => done(null, piece), waitMs);
      },
    });
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (away) return void near.destroy();
    const far = swallowing ? null : connect(Number(url.port), url.hostname);
    const pair: [Socket, Socket | null] = [near, far];
    pairs.add(pair);
    near.on('close', () => {
      far?.destroy();
      pairs.delete(pair);
    });
    if (!far) return;
    far.on('error', () => near.destroy());
    far.on('close', () => {
      if (pairs.has(pair)) near.destroy();
    });
    near.pipe(slowly()).pipe(far).pipe(slowly()).pipe(near);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  const through = new URL(target);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.href,
    silence() {
      for (const [near, far] of pairs) {
        near.unpipe();
        far?.unpipe();
        near.resume();
        far?.resume();
      }
    },
    swallowNew(on) {
      swallowing = on;
    },
    cutOff(on) {
      away = on;
      if (on) for (const [near] of pairs) near.destroy();
    },
    leadTo(other) {
      url = new URL(other);
    },
    slowDown(ms) {
      waitMs = ms;
    },
    async close() {
      for (const [near, far] of pairs) {
        near.destroy();
        far?.destroy();
      }
      await new Promise((closed) => server.close(closed));
    },
  };
}
