import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const TYPES: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };

/**
 * Builds a page of React with the router into a folder and serves it as the product serves its own: scripts are stored
 * for good, so that a second visit has them compiled.
 */
export async function serveBarePage(folder: string): Promise<{ url: string; close(): void }> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(import.meta.dirname, 'bare-page'),
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true, modulePreload: { polyfill: false } },
  });
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '/');
    const cacheControl = path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, {
        'content-type': TYPES[extname(path)] ?? 'text/plain',
        'cache-control': cacheControl,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the bare page has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
