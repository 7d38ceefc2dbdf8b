import module from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// Code is taken as compiled by the start before. Kept beside the code itself, so that whoever cannot change the program
// cannot change this either; where nothing may be written, nothing is kept.
const COMPILED = fileURLToPath(new URL('../dist/server/.compiled', import.meta.url));

// How much of a function of the embedded database runs before it is compiled again, optimized. At V8's own 13 million,
// a start spends a third of its processor time on that, and 500 MB for a moment on the SQL parser alone.
const TIERING_BUDGET = 2_000_000_000;

// First, because compiled code is only taken by a Node with the same settings.
v8.setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
module.enableCompileCache?.(COMPILED);
