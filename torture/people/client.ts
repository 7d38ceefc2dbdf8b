import { Caller } from '../../tests/support/harness/caller.ts';

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

const PATIENCE_MS = 15_000;

/** A signed-in user. The session is valid on every server, so each call names its server. */
export class Client {
  private readonly caller = new Caller('', ORIGIN);
  private readonly ip: string;

  /** `ip` is the client IP reported by the proxy, which rate limits use. */
  constructor(ip: string) {
    this.ip = ip;
  }

  /** Rejects with NoReply if the connection breaks, or after 15 seconds. */
  async call(server: string, method: string, path: string, body?: unknown): Promise<Reply> {
    const startedAt = performance.now();
    const content =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    try {
      const response = await this.caller.raw(method, server + path, {
        ...content,
        headers: { ...content.headers, 'x-forwarded-for': this.ip },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return {
        status: response.status,
        body: parsed(await response.text()),
        retryAfter: response.headers.get('retry-after'),
        ms: performance.now() - startedAt,
      };
    } catch (cause) {
      throw new NoReply(`${method} ${path}: ${cause}`, { cause });
    }
  }

  /** Returns the body. Throws unless the status is below 300. */
  async must(server: string, method: string, path: string, body?: unknown) {
    const reply = await this.call(server, method, path, body);
    if (reply.status >= 300) {
      throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    }
    return reply.body;
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

export async function signedIn(server: string, email: string, password: string, ip: string): Promise<Client> {
  const client = new Client(ip);
  await client.must(server, 'POST', '/api/auth/sign-in', { email, password });
  return client;
}
