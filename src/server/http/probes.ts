import type { ReadinessReport } from '../monitoring/readiness.ts';

/** Probe paths, outside of /api and so free of its limits and origin check. */
export const PROBES = { alive: '/healthz', ready: '/readyz' } as const;

const json = (status: number, body: object) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });

/** Shows that the process runs; checks nothing else. */
export const aliveResponse = (): Response => json(200, { status: 'ok' });

/** 200 if requests may come, 503 if they should go elsewhere, with the failing checks. */
export const readyResponse = ({ ready, checks }: ReadinessReport): Response =>
  json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
