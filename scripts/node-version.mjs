// Plain JavaScript, so that an old Node can run it: loaded before everything else.
import './quick-start.mjs';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `Cellar Door runs on Node 24, which npm installs beside it; this is Node ${process.versions.node}.\n` +
      'Start it through npm (npm start), and install without --ignore-scripts (npm ci).',
  );
  process.exit(1);
}
