import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { readEnv } from '../src/server/config/env.ts';
import { siteOf } from '../src/server/config/settings.ts';
import { fillIndex } from '../src/server/http/pages/page-document.ts';
import { loadEnvFile } from './serve/env-file.ts';
import { closeOnShutdown } from './serve/shutdown.ts';

const root = resolve(import.meta.dirname, '..');
loadEnvFile();
const env = readEnv(process.env);
const sandboxPort = env.SANDBOX_PORT ?? env.PORT + 1;
const apiPort = env.PORT + 2;

// Vite serves the web app and replaces changed modules in the open page. The server runs beside it and restarts when
// one of its files changes. The browser needs only one URL.
const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'scripts/dev-server.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PORT: String(apiPort),
    SANDBOX_PORT: String(sandboxPort),
    PUBLIC_URL: env.PUBLIC_URL,
  },
});

process.env.API_PORT = String(apiPort);
const { createServer } = await import('vite');
const sandboxUrl = env.STRIPE_SECRET_KEY ? null : `http://localhost:${sandboxPort}`;
const site = siteOf(env, { demo: sandboxUrl !== null, sandboxUrl });
const vite = await createServer({
  configFile: resolve(root, 'vite.config.ts'),
  plugins: [
    {
      name: 'cellar-door:site',
      transformIndexHtml: {
        order: 'post',
        handler: (html) => fillIndex(html, site),
      },
    },
  ],
  server: { port: env.PORT, strictPort: true },
});
await vite.listen();
console.log(`Cellar Door, reloading as you write: ${env.PUBLIC_URL}`);

closeOnShutdown(async () => {
  server.kill('SIGTERM');
  await Promise.all([vite.close(), new Promise((resolve) => server.once('exit', resolve))]);
});
server.once('exit', (code) => process.exit(code ?? 1));
