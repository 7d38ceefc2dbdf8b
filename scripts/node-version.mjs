// Plain JavaScript, so that an old Node can run it: loaded before everything else.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `Cellar Door runs on Node 24, which npm installs beside it; this is Node ${process.versions.node}.\n` +
      'Start it through npm (npm start), and install without --ignore-scripts (npm ci).',
  );
  process.exit(1);
}

// Reuses the code compiled by the previous start. Stored beside the program, so that an account without the right to change
// the program cannot change its compiled code; if the folder is not writable, nothing is stored.
module.enableCompileCache(fileURLToPath(new URL('../dist/server/.compiled', import.meta.url)));

// Not imported above, because an old Node lacks what it uses.
await import('./drizzle-modules.mjs');
