import type { tracingSettings } from '../config/settings.ts';
import type { StatementWatch } from '../db/statement-watch.ts';
import type { Observe, Spans } from '../platform/observe.ts';
import { currentRequest } from '../platform/request-scope.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { startTracing, statementSpans, type Tracing } from './tracing.ts';

/** Hooks for watching the server; each is absent unless configured. */
export interface Instruments {
  observe?: Observe;
  spans?: Spans;
  statements: StatementWatch;
  metrics: Metrics | null;
  tracing: Tracing | null;
}

/** Statements always name their request; the rest is only loaded if configured. */
export async function createInstruments(settings: {
  metrics: boolean;
  tracing: ReturnType<typeof tracingSettings>;
}): Promise<Instruments> {
  const metrics = settings.metrics ? await createMetrics() : null;
  const tracing = settings.tracing ? await startTracing(settings.tracing) : null;
  return {
    ...(metrics && { observe: metrics.observe }),
    ...(tracing && { spans: tracing.spans }),
    statements: {
      reference: () => currentRequest()?.reference ?? null,
      ...(tracing && statementSpans(tracing.spans)),
    },
    metrics,
    tracing,
  };
}
