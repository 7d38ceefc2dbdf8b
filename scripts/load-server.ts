import { bundled } from './builds.ts';

// Loads what a start loads, and no more: Node then has the compiled code for the first start (quick-start.mjs).
for (const name of ['serve', 'demo']) {
  const file = bundled(name);
  if (file) await import(file);
}
