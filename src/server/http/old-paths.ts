/** Paths of 1.0.0 that said letter for email, each with the path that it leads to until 2.0. */
const OLD_PATHS: [old: RegExp, path: string][] = [
  [/^\/api\/letters\/(own|unsubscribe)\/?$/, '/api/personal-emails/$1'],
  [/^(\/api\/members-at-risk\/[^/]+)\/letter\/?$/, '$1/email'],
  [/^(\/api\/customers\/[^/]+)\/letter\/?$/, '$1/access-email'],
  [/^(\/api\/customers\/[^/]+)\/letters((?:\/[^/]+)?)\/?$/, '$1/emails$2'],
];

/** Today's path for one of 1.0.0; any other path as it is. */
export function currentPath(path: string): string {
  const [pattern, current] = OLD_PATHS.find(([it]) => it.test(path)) ?? [];
  return pattern && current ? path.replace(pattern, current) : path;
}

/** The request at today's path. */
export function atCurrentPath(request: Request): Request {
  const url = new URL(request.url);
  const path = currentPath(url.pathname);
  if (path === url.pathname) return request;
  url.pathname = path;
  return new Request(url, request);
}
