/** Paths of 1.0.0 that said letter for email, each with the path that it leads to until 2.0. */
const OLD_PATHS: [old: RegExp, path: string][] = [
  [/^\/api\/letters\/(own|unsubscribe)\/?$/, '/api/personal-emails/$1'],
  [/^(\/api\/members-at-risk\/[^/]+)\/letter\/?$/, '$1/email'],
  [/^(\/api\/customers\/[^/]+)\/letter\/?$/, '$1/access-email'],
  [/^(\/api\/customers\/[^/]+)\/letters((?:\/[^/]+)?)\/?$/, '$1/emails$2'],
];

/** The request at today's path. */
export function atCurrentPath(request: Request): Request {
  const url = new URL(request.url);
  const [old, path] = OLD_PATHS.find(([it]) => it.test(url.pathname)) ?? [];
  if (!old || !path) return request;
  url.pathname = url.pathname.replace(old, path);
  return new Request(url, request);
}
