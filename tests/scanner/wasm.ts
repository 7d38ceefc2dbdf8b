import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule } from 'zxing-wasm/reader';

/** The decoder's program from the package: in the browser the worker fetches it, here it is a file. */
export async function prepareDecoder(): Promise<void> {
  const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const program = readFileSync(file);
  await prepareZXingModule({
    overrides: { wasmBinary: program.buffer as ArrayBuffer },
    fireImmediately: true,
  });
}
