import type { Context, MiddlewareHandler } from 'hono';
import { errorResponse } from '../api/errors.ts';
import { captchaSources } from '../auth/captcha.ts';
import type { CaptchaConfig } from '../config/captcha-config.ts';
import { CSP_REPORT_PATH } from './csp-reports.ts';

// wasm-unsafe-eval lets the scanner's decoder run; it does not allow eval of JavaScript.
function contentSecurityPolicy(captcha: CaptchaConfig | null): string {
  const { script, frame, style, connect } = captchaSources(captcha);
  return [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...script].join(' '),
    ["style-src 'self'", ...style].join(' '),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    // The app's own frame is the preview of an email.
    ["frame-src 'self'", ...frame].join(' '),
    "media-src 'self' blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Browsers support one or the other.
    `report-uri ${CSP_REPORT_PATH}`,
    'report-to csp',
  ].join('; ');
}

/** The policy of API responses, which are never shown as a page or in a frame. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The API's documentation, the only page under /api: with a style sheet and no script. */
export const API_DOCS_PATH = '/api/docs';
const API_DOCS_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The only API answer shown in a frame of ours: an email in HTML, with the inline styles that mail programs need. It runs
 * no scripts, loads only the club's logo, and has no origin.
 */
const EMAIL_PREVIEW = /^\/api\/emails\/[a-z_]+\/preview\.html$/;
const EMAIL_PREVIEW_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/**
 * Sets headers of an existing response. Hono's `c.header` would build the response again for each of them, its body a
 * stream, which costs several times as much as all the rest of an answer.
 */
export function setHeaders({ res: { headers } }: Context, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) headers.set(name, value);
}

/** Headers of every response. HSTS only when the site is served over HTTPS. */
export function securityHeaders({
  https,
  captcha,
}: {
  https: boolean;
  captcha: CaptchaConfig | null;
}): MiddlewareHandler {
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
  const ofApi = { 'Content-Security-Policy': API_POLICY, ...headers };
  const ofApiDocs = { ...ofApi, 'Content-Security-Policy': API_DOCS_POLICY };
  const ofEmailPreview = {
    ...headers,
    'Content-Security-Policy': EMAIL_PREVIEW_POLICY,
    'X-Frame-Options': 'SAMEORIGIN',
  };
  const ofPages = {
    'Content-Security-Policy': contentSecurityPolicy(captcha),
    'Reporting-Endpoints': `csp="${CSP_REPORT_PATH}"`,
    ...headers,
  };
  return async (c, next) => {
    await next();
    const { path } = c.req;
    if (path === API_DOCS_PATH) setHeaders(c, ofApiDocs);
    else if (EMAIL_PREVIEW.test(path)) setHeaders(c, ofEmailPreview);
    else if (path.startsWith('/api/')) setHeaders(c, ofApi);
    else setHeaders(c, ofPages);
  };
}

/**
 * Refuses changes that another site's page asks a browser to make. Browsers send the page's origin, or since 2020 at
 * least the site, with every such request; a client that sends neither is not a browser and holds only its own cookies.
 */
export function sameOrigin(origins: string[], onRefusal: (c: Context) => void): MiddlewareHandler {
  return async (c, next) => {
    const changes = c.req.method !== 'GET' && c.req.method !== 'HEAD';
    if (changes && isForeign(c, origins)) {
      onRefusal(c);
      return errorResponse('FOREIGN_ORIGIN');
    }
    return next();
  };
}

function isForeign(c: Context, origins: string[]): boolean {
  const origin = c.req.header('origin');
  if (origin !== undefined) return !origins.includes(origin);
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return false;
}
