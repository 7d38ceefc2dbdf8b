import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The engine's program in WebAssembly, which lies beside the main file of its package. */
export const ENGINE_PROGRAM = new URL(
  'pglite.wasm',
  pathToFileURL(createRequire(import.meta.url).resolve('@electric-sql/pglite')),
);

/** Checksums of a program and of its machine code, each an unsigned integer of four bytes. */
const HEADER_BYTES = 8;

type Program = Uint8Array<ArrayBuffer>;

/** The engine, with the code that the build has kept in `file` where it fits; otherwise V8 compiles what is called. */
export function compileEngine(file: string): WebAssembly.Module {
  const program = readFileSync(ENGINE_PROGRAM);
  return restoreCode(file, program) ?? new WebAssembly.Module(program);
}

/**
 * Keeps the machine code of those functions of a program that V8 has optimized: of all that ran, in a Node with
 * `--no-liftoff`, which this ends.
 */
export function keepCode(file: string, program: Program, module: WebAssembly.Module): void {
  const serialize = native<(module: WebAssembly.Module) => ArrayBuffer>(
    '(function (module) { return %SerializeWasmModule(module); })',
  );
  // V8 keeps a sum of its flags with the code, and takes it only where they are the same. `--no-liftoff` turned off both.
  setFlagsFromString('--liftoff --wasm-dynamic-tiering');
  const code = new Uint8Array(serialize(module));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(crc32(program), 0);
  header.writeUInt32LE(crc32(code), 4);
  writeFileSync(file, Buffer.concat([header, code]));
}

/**
 * A program with the code that was kept in `file`. Null where there is none, it is of another program or damaged, or V8
 * refuses it: it must be of the same V8, on such a processor, with the same flags.
 */
export function restoreCode(file: string, program: Program): WebAssembly.Module | null {
  try {
    const kept = readFileSync(file);
    const code = new Uint8Array(kept).slice(HEADER_BYTES);
    // V8 compares neither, and crashes on code that was cut off.
    if (kept.readUInt32LE(0) !== crc32(program) || kept.readUInt32LE(4) !== crc32(code)) return null;
    const deserialize = native<(code: ArrayBuffer, program: Program) => WebAssembly.Module | undefined>(
      '(function (code, program) { return %DeserializeWasmModule(code, program); })',
    );
    return deserialize(code.buffer, program) ?? null;
  } catch {
    return null;
  }
}

/**
 * A function that calls one of V8's own, with which browsers keep compiled programs. Only V8's own syntax names it; the flag for
 * that is part of what compiled code must agree on, so it is set no longer than it takes to read the function. V8 reads one in
 * parentheses at once.
 */
function native<T>(source: string): T {
  setFlagsFromString('--allow-natives-syntax');
  try {
    return runInThisContext(source) as T;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}
