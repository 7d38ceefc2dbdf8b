import type { Observe, OutgoingService, Spans } from './observe.ts';

export interface CallWatch {
  observe?: Observe | undefined;
  spans?: Spans | undefined;
}

/**
 * Makes a call to another service, timed and in a span, which names the path without its query and ids. Neither trace nor
 * request id is sent along, for privacy.
 */
export function watchCall<T extends { status: number }>(
  { observe, spans }: CallWatch,
  { service, method, path }: { service: OutgoingService; method: string; path: string },
  call: () => Promise<T>,
): Promise<T> {
  const route = withoutIds(path);
  const timed = async () => {
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    try {
      const response = await call();
      const outcome = response.status >= 500 ? 'failed' : response.status >= 400 ? 'refused' : 'ok';
      observe?.({ type: 'outgoing', service, outcome, seconds: seconds() });
      return response;
    } catch (error) {
      observe?.({ type: 'outgoing', service, outcome: 'failed', seconds: seconds() });
      throw error;
    }
  };
  if (!spans?.isRunning()) return timed();
  const attributes = { 'http.request.method': method, 'url.template': route, 'peer.service': service };
  return spans.run({ name: `${service} ${method} ${route}`, kind: 'client', attributes }, async (notes) => {
    const response = await timed();
    notes.set({ 'http.response.status_code': response.status });
    if (response.status >= 400) notes.fail();
    return response;
  });
}

/** /v1/customers/cus_123/sources?limit=1 becomes /v1/customers/{id}/sources. */
function withoutIds(path: string): string {
  const [base = ''] = path.split('?');
  return base.replace(/\/[^/]*\d[^/]*(?=\/|$)/g, (segment) => (/^\/v\d+$/.test(segment) ? segment : '/{id}'));
}
