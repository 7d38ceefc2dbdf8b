import { bundled, prepareBuilds } from './builds.ts';
import { explain } from './serve/explain.ts';
import type { Installation } from './serve/installation.ts';
import { closeOnShutdown } from './serve/shutdown.ts';

const lan = process.argv[2] === '--lan';
if (process.argv.length > (lan ? 3 : 2)) {
  console.error('Usage: npm start, or npm start -- --lan to open it to phones on this network, over HTTPS');
  process.exit(2);
}

// Little is loaded here, so that the server's bundle pays off.
const stopped = new AbortController();
let running: Installation | null = null;
closeOnShutdown(async () => {
  stopped.abort();
  // A start can be interrupted at any point: the next one continues.
  await running?.close();
});

let web = Promise.resolve();
try {
  const builds = prepareBuilds(process.env.NODE_ENV === 'production', stopped.signal);
  web = builds.web;
  // The server awaits this promise later; an earlier failure elsewhere must not leave it unhandled.
  web.catch(() => null);
  const { serve }: typeof import('./serve/serve.ts') = await import(bundled('serve') ?? './serve/serve.ts');
  running = await serve({ webReady: web, emptyDatabase: builds.emptyDatabase, lan });
} catch (error) {
  // A deliberately stopped start is not a failure.
  if (!stopped.signal.aborted) {
    console.error(`\n${explain(error)}\n`);
    stopped.abort();
    await web.catch(() => null);
    process.exit(1);
  }
}
