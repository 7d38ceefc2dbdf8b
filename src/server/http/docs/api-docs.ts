import type { Hono, Schema } from 'hono';
import type { Bearer } from '../../auth/app-sessions/bearer.ts';
import { API_DOCS_PATH } from '../security-headers.ts';
import { docsPage } from './docs-page.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { openApiDocument } from './openapi.ts';

/** The API's description for programs and for people: no script, nothing from another server. */
export function mountApiDocs<S extends Schema>(
  app: Hono<{ Variables: { bearer: Bearer } }, S>,
  publicUrl: string,
): void {
  // Both texts, made once: making them per request would let anyone exhaust the processor.
  let texts: Promise<{ json: string; html: string }> | undefined;
  const make = async () => {
    const document = await openApiDocument(publicUrl);
    return { json: JSON.stringify(document), html: docsPage(document) };
  };
  const read = () => {
    texts ??= make();
    return texts;
  };
  app.get('/api/openapi.json', async (c) =>
    c.body((await read()).json, 200, { 'Content-Type': 'application/json' }),
  );
  app.get(API_DOCS_PATH, async (c) => c.html((await read()).html));
  app.get(`${API_DOCS_PATH}.css`, (c) =>
    c.body(DOCS_STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
}
