import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataFolder, root } from '../../../support/harness/installation.ts';

/** In binary: (module (func (export "answer") (result i32) i32.const 42)). */
const PROGRAM = '0061736d010000000105016000017f03020100070a0106616e7377657200000a06010400412a0b';
/** The same size, but its answer is 41. */
const ANOTHER = PROGRAM.replace('412a', '4129');

const folder = dataFolder();
const kept = join(folder.path, 'code');
beforeAll(() => run('keep', kept, PROGRAM, ['--no-liftoff']));
afterAll(() => folder.remove());

function run(action: 'keep' | 'run', file: string, program: string, flags: string[] = []): string {
  const parameters = [...flags, 'tests/support/fixtures/engine-code.ts', action, file, program];
  return execFileSync(process.execPath, parameters, { cwd: root, encoding: 'utf8' }).trim();
}

it('a program runs with the code that was kept', () => {
  expect(run('run', kept, PROGRAM)).toBe('42');
});

it.each<[string, (copy: string) => void, string?, string[]?]>([
  ['is not there', (copy) => rmSync(copy)],
  ['was cut off', (copy) => truncateSync(copy, readFileSync(copy).length - 1)],
  ['was changed', changeLastByte],
  ['is of another program', () => undefined, ANOTHER],
  ['was made under other flags', () => undefined, PROGRAM, ['--no-wasm-bounds-checks']],
])('code that %s is left alone', (_, damage, program = PROGRAM, flags = []) => {
  const copy = join(folder.path, 'copy');
  copyFileSync(kept, copy);
  damage(copy);
  expect(run('run', copy, program, flags)).toBe('null');
});

function changeLastByte(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length - 1] = 255 - (bytes.at(-1) ?? 0);
  writeFileSync(file, bytes);
}
