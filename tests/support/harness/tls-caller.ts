import { request } from 'node:https';
import { Caller } from './caller.ts';

/** A device on the local network: it trusts `ca` (PEM), and its DNS resolves every name to this computer. */
export interface TlsDevice {
  ca: string | undefined;
}

/** Sends a request like the device. Rejects with the TLS error if it does not trust the server. */
export function fetchFrom({ ca }: TlsDevice, url: string, init: RequestInit = {}): Promise<Response> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolved, failed) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: pathname + search,
        method: init.method ?? 'GET',
        servername: hostname,
        agent: false,
        ca,
        headers: { ...Object.fromEntries(new Headers(init.headers)), host: `${hostname}:${port}` },
      },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        const headers = new Headers();
        for (let at = 0; at < answer.rawHeaders.length; at += 2) {
          headers.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
        }
        resolved(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 500, headers }));
      },
    );
    sent.on('error', failed);
    sent.end(typeof init.body === 'string' ? init.body : undefined);
  });
}

/** A Caller on a device of the local network. */
export class TlsCaller extends Caller {
  private readonly device: TlsDevice;
  private readonly base: string;

  constructor(device: TlsDevice, url: string) {
    super(url, url);
    this.device = device;
    this.base = url;
  }

  protected override send(path: string, init: RequestInit): Promise<Response> {
    return fetchFrom(this.device, this.base + path, init);
  }
}
