import { prepareZXingModule } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { DecoderRequest, DecoderResponse } from './decoder.ts';
import { NO_CODE } from './nearest-code.ts';
import { readCode } from './read-code.ts';

// Otherwise the library would fetch the WebAssembly file from a CDN.
const ready = prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });

async function handle({ id, frame, effort, treatment }: DecoderRequest): Promise<DecoderResponse> {
  try {
    await ready;
    return { id, reading: await readCode(frame, effort, treatment) };
  } catch (error) {
    return { id, reading: NO_CODE, error: String(error) };
  }
}

self.addEventListener('message', async ({ data }: MessageEvent<DecoderRequest>) => {
  self.postMessage(await handle(data));
});
