import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';

const FILES: Record<string, string> = {
  'title.woff2': '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2',
  'text.woff2': '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
};

/** Serves the two fonts of the pages if they are installed; otherwise browsers use their own. */
export function fonts(): Hono {
  const app = new Hono();
  app.get('/fonts/:name', (c) => {
    const file = FILES[c.req.param('name')];
    const bytes = file && read(file);
    if (!bytes) return c.text('No such font', 404);
    return c.body(bytes, 200, {
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });
  return app;
}

function read(file: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(file))));
  } catch {
    return null;
  }
}
