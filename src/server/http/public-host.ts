import type { Fetch } from './listener.ts';
import { PROBES } from './probes.ts';

/**
 * Redirects browsers that opened a page under another name or IP of this computer to publicUrl, because cookies, passkeys
 * and the same-origin check depend on it. API calls are not redirected: that would hide a wrong URL.
 */
export function onPublicHost(fetch: Fetch, publicUrl: string): Fetch {
  const { host, origin } = new URL(publicUrl);
  return (request, bindings) => {
    const url = new URL(request.url);
    const isPage = request.method === 'GET' && !url.pathname.startsWith('/api/');
    // A load balancer asks by IP, and treats a redirect as a failure.
    const isProbe = Object.values<string>(PROBES).includes(url.pathname);
    if (url.host === host || !isPage || isProbe) return fetch(request, bindings);
    return new Response(null, {
      status: 302,
      headers: { location: `${origin}${url.pathname}${url.search}` },
    });
  };
}
