export interface Answer<Body = never> {
  status: number;
  body: [Body] extends [never] ? Record<string, unknown> & { code?: string; message?: string } : Body;
  headers: Headers;
}

/** Sends a request to a path, as `fetch` would. */
type Send = (path: string, init: RequestInit) => Promise<Response>;

/** A client that stores cookies and, like a browser, sends its origin, or with a GET the headers of its own page. */
export class Caller {
  readonly jar = new Map<string, string>();
  /** The signed-in user's id, after `remember`. */
  id = '';
  private readonly url: string;
  private readonly origin: string;
  private readonly inProcess: Send | undefined;

  /** With `inProcess`, only `raw` uses HTTP. */
  constructor(url: string, origin: string, inProcess?: Send) {
    this.url = url;
    this.origin = origin;
    this.inProcess = inProcess;
  }

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  raw(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    return this.ask(method, path, init, (to, sent) => this.send(to, sent));
  }

  private async ask(method: string, path: string, init: RequestInit, send: Send): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.jar.size > 0) headers.set('cookie', this.cookie);
    if (!headers.has('origin') && method !== 'GET') headers.set('origin', this.origin);
    if (!headers.has('sec-fetch-site') && method === 'GET') headers.set('sec-fetch-site', 'same-origin');
    const response = await send(path, { redirect: 'manual', ...init, method, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const value = pair.slice(at + 1);
      if (value === '' || /max-age=0/i.test(line)) this.jar.delete(pair.slice(0, at));
      else this.jar.set(pair.slice(0, at), value);
    }
    return response;
  }

  protected send(path: string, init: RequestInit): Promise<Response> {
    return fetch(this.url + path, init);
  }

  async call<Body = never>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    const init: RequestInit =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const send: Send = this.inProcess ?? ((to, sent) => this.send(to, sent));
    const response = await this.ask(method, path, init, send);
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, body: parsed as Answer<Body>['body'], headers: response.headers };
  }

  /** Like `call`, but returns the body, and throws unless the status is below 300. */
  async must<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, path, body);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body as Body;
  }

  /** Stores the signed-in user's id in `id`; empty if not signed in. */
  async remember(): Promise<void> {
    const { user } = await this.must<{ user: { id: string } | null }>('GET', '/api/session');
    this.id = user?.id ?? '';
  }
}
