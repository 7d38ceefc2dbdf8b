import { Agent, request } from 'node:http';

/** The URL for browsers: all servers of a run share it, as behind a proxy. */
export const ORIGIN = 'http://localhost:3999';

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any call
  body: any;
  retryAfter: string | null;
  ms: number;
}

/** No response: the request may or may not have been carried out. */
export class NoReply extends Error {}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const PATIENCE_MS = 15_000;

/** A signed-in user. The session is valid on every server, so each call names its server. */
export class Client {
  private readonly cookies = new Map<string, string>();
  private readonly ip: string;

  /** `ip` is the client IP reported by the proxy, which rate limits use. */
  constructor(ip: string) {
    this.ip = ip;
  }

  /** Rejects with NoReply if the connection breaks, or after 15 seconds. */
  call(server: string, method: string, path: string, body?: unknown, withinMs = PATIENCE_MS): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const began = performance.now();
    return new Promise((resolved, failed) => {
      const sent = request(
        server + path,
        {
          method,
          agent,
          headers: {
            origin: ORIGIN,
            'x-forwarded-for': this.ip,
            cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => (received += chunk));
          response.on('error', (cause) => failed(new NoReply('The answer broke off', { cause })));
          response.on('end', () => {
            clearTimeout(late);
            this.remember(response.headers['set-cookie'] ?? []);
            resolved({
              status: response.statusCode ?? 0,
              body: parsed(received),
              retryAfter: response.headers['retry-after'] ?? null,
              ms: performance.now() - began,
            });
          });
        },
      );
      const late = setTimeout(() => sent.destroy(new Error('no answer in time')), withinMs);
      sent.on('error', (cause) => {
        clearTimeout(late);
        failed(new NoReply(`${method} ${path}: ${cause.message}`, { cause }));
      });
      sent.end(text);
    });
  }

  /** Returns the body. Throws unless the status is below 300. */
  async must(server: string, method: string, path: string, body?: unknown) {
    const reply = await this.call(server, method, path, body);
    if (reply.status >= 300) {
      throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    }
    return reply.body;
  }

  private remember(lines: string[]): void {
    for (const line of lines) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const value = pair.slice(at + 1);
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), value);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Signs in on one server; the session is valid on all. */
export async function signedIn(server: string, email: string, password: string, ip: string): Promise<Client> {
  const client = new Client(ip);
  await client.must(server, 'POST', '/api/auth/sign-in', { email, password });
  return client;
}
