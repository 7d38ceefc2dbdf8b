import type { Fetch } from './listener.ts';

/**
 * Leads browsers that opened a page under another name or IP of this computer to publicUrl, which cookies, passkeys and
 * the same-origin check belong to. Calls of the API pass: a redirect would hide a wrong URL.
 */
export function onPublicHost(fetch: Fetch, publicUrl: string): Fetch {
  const { host, origin } = new URL(publicUrl);
  return (request, bindings) => {
    const url = new URL(request.url);
    const isPage = request.method === 'GET' && !url.pathname.startsWith('/api/');
    if (url.host === host || !isPage) return fetch(request, bindings);
    return new Response(null, {
      status: 302,
      headers: { location: `${origin}${url.pathname}${url.search}` },
    });
  };
}
