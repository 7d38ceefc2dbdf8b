import { bundled } from './builds.ts';

// Loads what a start loads and runs nothing, so that Node has it compiled for the first start (quick-start.mjs).
for (const name of ['serve', 'demo']) {
  const file = bundled(name);
  if (file) await import(file);
}
