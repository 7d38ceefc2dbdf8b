import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule } from 'zxing-wasm/reader';

/** Loads the decoder's WebAssembly from the package's file. In the browser, the worker fetches it. */
export async function prepareDecoder(): Promise<void> {
  const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const program = readFileSync(file);
  await prepareZXingModule({
    overrides: { wasmBinary: program.buffer as ArrayBuffer },
    fireImmediately: true,
  });
}
