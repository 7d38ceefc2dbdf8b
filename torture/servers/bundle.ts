import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, loadConfigFromFile } from 'vite';

const root = resolve(import.meta.dirname, '../..');
let built: Promise<string> | undefined;

/**
 * server.ts as one file, built like the server's own bundle, once per run: a start from sources takes four times as
 * long, and a crash is mostly a start.
 */
export function bundledServer(): Promise<string> {
  built ??= makeBundle();
  return built;
}

async function makeBundle(): Promise<string> {
  const loaded = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    join(root, 'vite.server.config.ts'),
  );
  if (!loaded) throw new Error('vite.server.config.ts could not be read');
  const { config } = loaded;
  // Its own folder, because parallel runs would replace each other's.
  const outDir = join(root, `.cache/torture-server-${process.pid}`);
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  const { input: _, ...rolldownOptions } = config.build?.rolldownOptions ?? {};
  await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: {
      ...config.build,
      outDir,
      rolldownOptions: { ...rolldownOptions, input: { server: join(import.meta.dirname, 'server.ts') } },
    },
  });
  return join(outDir, 'server.js');
}
