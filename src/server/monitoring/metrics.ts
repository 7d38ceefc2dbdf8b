import type { Observation, Observe } from '../platform/observe.ts';
import { type GaugeSources, registerGauges } from './gauges.ts';

type Prom = typeof import('@prometheus-io/client');

/** Seconds; the bar's promise is a pour within two. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const OUTGOING_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15];
/** A webhook comes within seconds; the sweeper finds missed events within minutes; Stripe retries for three days. */
const EVENT_BUCKETS = [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 259_200];

export type Metrics = Awaited<ReturnType<typeof createMetrics>>;

/** The metrics of this process, in their own registry. Names are documented in docs/run/watch.md, "See it run". */
export async function createMetrics({ processDefaults = true } = {}) {
  // Loaded lazily, so that a start without metrics does not pay for it. CommonJS: run from sources, everything is in
  // `default`.
  const module = await import('@prometheus-io/client');
  const prom = ('default' in module ? module.default : module) as Prom;
  const registry = new prom.Registry();
  if (processDefaults) prom.collectDefaultMetrics({ register: registry });
  const observe = register(prom, registry);
  let refresh: () => Promise<void> = async () => undefined;
  return {
    observe,
    /** Registers values measured at each scrape. Called once, when everything is wired. */
    watch(sources: GaugeSources): void {
      refresh = registerGauges(prom, registry, sources);
    },
    async text(): Promise<string> {
      await refresh();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

function register(prom: Prom, registry: InstanceType<Prom['Registry']>): Observe {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new prom.Counter({ name: `cellar_door_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ) => new prom.Histogram({ name: `cellar_door_${name}`, help, buckets, labelNames, registers });

  const requests = histogram(
    'request_duration_seconds',
    'Requests by call and status, until the response began.',
    REQUEST_BUCKETS,
    ['call', 'status'],
  );
  const pours = counter('pours_recorded_total', 'Pours recorded.');
  const glasses = counter('glasses_poured_total', 'Glasses of the pours recorded.');
  const repeats = counter('pours_repeated_total', 'Pours sent again that had been recorded before.');
  const refusals = counter('pours_refused_total', 'Pours refused, by reason.', ['reason']);
  const voids = counter('pours_voided_total', 'Pours taken back.');
  const webhooks = counter('webhook_events_total', 'Webhooks received, by type of event and outcome.', [
    'event',
    'outcome',
  ]);
  const lag = histogram(
    'webhook_event_lag_seconds',
    'From Stripe creating an event to it being processed here.',
    EVENT_BUCKETS,
  );
  const requestsOut = histogram(
    'outgoing_request_duration_seconds',
    'Requests to other services, by service and outcome.',
    OUTGOING_BUCKETS,
    ['service', 'outcome'],
  );

  return (observation: Observation) => {
    switch (observation.type) {
      case 'request':
        return requests.observe(
          { call: observation.call, status: String(observation.status) },
          observation.seconds,
        );
      case 'pour recorded':
        pours.inc();
        return glasses.inc(observation.glasses);
      case 'pour repeated':
        return repeats.inc();
      case 'pour refused':
        return refusals.inc({ reason: observation.reason });
      case 'pour voided':
        return voids.inc();
      case 'webhook':
        return webhooks.inc({ event: observation.event, outcome: observation.outcome });
      case 'event processed':
        return lag.observe(observation.seconds);
      case 'outgoing':
        return requestsOut.observe(
          { service: observation.service, outcome: observation.outcome },
          observation.seconds,
        );
    }
  };
}
