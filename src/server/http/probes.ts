import type { ReadinessReport } from '../monitoring/readiness.ts';

/** Paths of the probes: outside of /api, so that neither its limits nor its origins apply. */
export const PROBES = { alive: '/healthz', ready: '/readyz' } as const;

const json = (status: number, body: object) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });

/** The process runs and answers; nothing else is looked at. */
export const aliveResponse = (): Response => json(200, { status: 'ok' });

/** 200 when requests may come, 503 when they should go elsewhere, with what is not well. */
export const readyResponse = ({ ready, checks }: ReadinessReport): Response =>
  json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
