import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Logger } from 'pino';
import { z } from 'zod';
import { text } from '../../contract/text.ts';
import type { FloodLimit } from '../platform/flood-limit.ts';

/** The path for browsers' reports of content security policy violations. */
export const CSP_REPORT_PATH = '/api/csp-reports';

const MAX_REPORT_BYTES = 16 * 1024;
const FROM_ONE_CLIENT = { max: 30, window: 60 };
/** The same violation is worth one line an hour, and all together no more than ALL_LINES: anyone can send reports. */
const SAME_LINE = { max: 1, window: 3600 };
const ALL_LINES = { max: 30, window: 3600 };

const texts = text(4000);
/** The formats of `report-uri` and `report-to`; other fields are dropped. */
const reports = z.union([
  z
    .object({
      'csp-report': z.object({
        'effective-directive': texts.optional(),
        'violated-directive': texts.optional(),
        'blocked-uri': texts.default(''),
      }),
    })
    .transform(({ 'csp-report': it }) => [
      { directive: it['effective-directive'] ?? it['violated-directive'] ?? '', blocked: it['blocked-uri'] },
    ]),
  z
    .array(
      z.object({ body: z.object({ effectiveDirective: texts.default(''), blockedURL: texts.default('') }) }),
    )
    .max(20)
    .transform((entries) =>
      entries.map(({ body }) => ({ directive: body.effectiveDirective, blocked: body.blockedURL })),
    ),
]);

/** The blocked site, or a word such as 'inline'; never a path or a query, which can contain personal data. */
function blockedSource(source: string): string | null {
  if (/^[a-z-]{1,30}$/.test(source)) return source;
  const url = URL.parse(source);
  if (!url) return null;
  return (url.host ? url.origin : url.protocol).slice(0, 120);
}

/** Logs policy violations by directive and site, without the page. */
export function cspReports(
  { log, flood }: { log: Logger; flood: FloodLimit },
  clientIp: (c: Context) => string,
): [MiddlewareHandler, (c: Context) => Promise<Response>] {
  const answer = async (c: Context) => {
    flood.take(`csp|${clientIp(c)}`, FROM_ONE_CLIENT);
    const result = reports.safeParse(await c.req.json().catch(() => null));
    for (const { directive, blocked } of result.data ?? []) {
      const source = blockedSource(blocked);
      if (!/^[a-z-]{1,40}$/.test(directive) || source === null) continue;
      if (flood.wait(`csp line|${directive}|${source}`, SAME_LINE) > 0) continue;
      if (flood.wait('csp lines', ALL_LINES) > 0) continue;
      log.warn({ security: 'content security policy', directive, blocked: source }, 'a page was stopped');
    }
    return c.body(null, 204);
  };
  const tooLarge = () => new Response(null, { status: 413 });
  return [bodyLimit({ maxSize: MAX_REPORT_BYTES, onError: tooLarge }), answer];
}
