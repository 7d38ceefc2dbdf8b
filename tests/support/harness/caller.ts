export interface Answer<Body = never> {
  status: number;
  body: [Body] extends [never] ? Record<string, unknown> & { code?: string; message?: string } : Body;
  headers: Headers;
}

/** An HTTP client that keeps cookies and sends its origin, as a browser does. */
export class Caller {
  readonly jar = new Map<string, string>();
  /** The signed-in user's id, after `remember`. */
  id = '';
  private readonly url: string;
  private readonly origin: string;

  constructor(url: string, origin: string) {
    this.url = url;
    this.origin = origin;
  }

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async raw(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.jar.size > 0) headers.set('cookie', this.cookie);
    if (!headers.has('origin') && method !== 'GET') headers.set('origin', this.origin);
    const response = await this.send(path, { redirect: 'manual', ...init, method, headers });
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
    const response = await this.raw(method, path, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
    });
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

  /** Stores the signed-in user's id in `id`; empty when not signed in. */
  async remember(): Promise<void> {
    const { user } = await this.must<{ user: { id: string } | null }>('GET', '/api/session');
    this.id = user?.id ?? '';
  }
}
