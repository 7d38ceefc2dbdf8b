import module from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// Reuses the code compiled by the previous start. Stored beside the code itself, so that whoever cannot change the
// program cannot change this either; if the folder is not writable, nothing is stored.
const COMPILED = fileURLToPath(new URL('../dist/server/.compiled', import.meta.url));

// How long a function of the embedded database runs before it is compiled again, optimized. At V8's default of 13
// million, a start compiles about a hundred of them.
const TIERING_BUDGET = 2_000_000_000;

// How much the heap grows, in percent of what is in use, before unused memory is looked for again. V8's default is up to
// 300 for a heap this small, and it never returns the pages that it once had.
const HEAP_GROWTH = 50;

// First, because compiled code is only accepted by a Node with the same flags.
v8.setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
v8.setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
module.enableCompileCache?.(COMPILED);
