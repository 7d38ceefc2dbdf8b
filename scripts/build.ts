import { buildAll } from './builds.ts';

await buildAll();
