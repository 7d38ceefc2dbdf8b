import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean };
type Attribute = { key: string; value: Value };

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code?: number };
}

interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

export interface ReceivedSpan {
  trace: string;
  id: string;
  parent: string | null;
  name: string;
  attributes: Record<string, unknown>;
  failed: boolean;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Everything that was received, as text. */
  bodies: string[];
  headers: Record<string, string | string[] | undefined>[];
  close(): Promise<void>;
}

const ERROR = 2;

/** A collector of OpenTelemetry traces: OTLP over HTTP, as JSON. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const [spans, bodies, headers]: [ReceivedSpan[], string[], OtlpReceiver['headers']] = [[], [], []];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const known = request.method === 'POST' && request.url === '/v1/traces';
      if (known) {
        bodies.push(body);
        headers.push(request.headers);
        spans.push(...read(JSON.parse(body) as Export));
      }
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const read = ({ resourceSpans }: Export): ReceivedSpan[] =>
  resourceSpans
    .flatMap((it) => it.scopeSpans.flatMap((scope) => scope.spans))
    .map((span) => ({
      trace: span.traceId,
      id: span.spanId,
      parent: span.parentSpanId || null,
      name: span.name,
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      failed: span.status.code === ERROR,
    }));
