import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Span } from '@opentelemetry/api';
import type { tracingSettings } from '../config/settings.ts';
import type { StatementWatch } from '../db/statement-watch.ts';
import type { Spans } from '../platform/observe.ts';

export type Tracing = Awaited<ReturnType<typeof startTracing>>;

const CLOSE_MS = 2_000;

/**
 * Sends traces to a collector. The tracer is not registered globally, because libraries would add spans whose errors quote
 * values. A trace begins here, whatever a request's headers say.
 */
export async function startTracing(settings: NonNullable<ReturnType<typeof tracingSettings>>) {
  // Loaded lazily, so that a start without traces does not pay for it.
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { endpoint, headers, serviceName, version, share } = settings;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('cellar-door', version);
  const storage = new AsyncLocalStorage<Span>();
  const kinds = {
    server: api.SpanKind.SERVER,
    internal: api.SpanKind.INTERNAL,
    client: api.SpanKind.CLIENT,
  };
  const spans: Spans = {
    isRunning: () => storage.getStore() !== undefined,
    async run({ name, kind, attributes = {} }, work) {
      const parent = storage.getStore();
      const context = parent ? api.trace.setSpan(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
      const fail = () => void span.setStatus({ code: api.SpanStatusCode.ERROR });
      try {
        return await storage.run(span, () =>
          work({
            set: (attributes) => void span.setAttributes(attributes),
            rename: (to) => void span.updateName(to),
            fail,
          }),
        );
      } catch (error) {
        // Only the kind of error: a message may quote values.
        span.setAttribute('error.type', kindOf(error));
        if (!isRefusal(error)) fail();
        throw error;
      } finally {
        span.end();
      }
    },
  };
  return {
    spans,
    flush: () => provider.forceFlush(),
    /** Sends the recorded spans, and ends. Never throws: the collector may be gone. */
    close: () =>
      Promise.race([provider.shutdown().catch(() => undefined), wait(CLOSE_MS, undefined, { ref: false })]),
  };
}

const kindOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && /^[\w-]{1,40}$/.test(code)) return code;
  return error instanceof Error ? error.constructor.name : typeof error;
};

const isRefusal = (error: unknown): boolean => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status < 500;
};

/** Statements as spans of the surrounding work; skipped for background work, where each would be a trace. */
export const statementSpans = (spans: Spans): Required<Pick<StatementWatch, 'run'>> => ({
  run(text, work) {
    if (!spans.isRunning()) return work();
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
    return spans.run({ name: statementName(text), kind: 'client', attributes }, work);
  },
});

/** A short name such as 'insert pours' or 'select record_pour', from a limited set. */
function statementName(text: string): string {
  const [operation = 'statement'] = text.trim().toLowerCase().split(/\s+/, 1);
  const target =
    /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_][\w.]*)"?/i.exec(text)?.[1] ??
    /^\s*select\s+([a-z_]\w*)\s*\(/i.exec(text)?.[1];
  return target ? `${operation} ${target}` : operation;
}
