#!/usr/bin/env node
// The program `cellar-door` of a release: runs on any Node from 18 on, and starts the release on the Node that npm installed
// with it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

/** The installed Node, wherever npm has put its package; this one if it is new enough; otherwise null. */
function findNode() {
  for (const name of Object.keys(require('./package.json').optionalDependencies)) {
    try {
      const file = require.resolve(`${name}/package.json`);
      return join(dirname(file), require(file).bin.node);
    } catch {
      // Not the package of this computer.
    }
  }
  return Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : null;
}

const node = findNode();
if (!node) {
  console.error(
    `Cellar Door runs on Node 24. npm could not install it for this computer, and this is Node ${process.versions.node}.\n` +
      'Install Node 24 (https://nodejs.org), then try again.',
  );
  process.exit(1);
}

// The memory setting is that of `npm start` in a clone.
const args = ['--max-semi-space-size=8', join(folder, 'dist/server/released.js'), ...process.argv.slice(2)];
// Newer versions of Node can become the other program, so that no second process waits for it.
if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], process.env);

// The server closes when the channel does: a killed launcher leaves none behind.
const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('error', (error) => {
  console.error(`Node could not be started: ${error.message}`);
  process.exit(1);
});
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
