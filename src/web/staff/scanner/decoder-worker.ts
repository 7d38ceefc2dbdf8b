import { prepareZXingModule } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { DecoderAnswer, DecoderQuestion } from './decoder.ts';
import { readCode } from './read-code.ts';

// Its own idea would be to fetch the program from a CDN.
const ready = prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });

async function answer({ id, picture, effort, treatment }: DecoderQuestion): Promise<DecoderAnswer> {
  try {
    await ready;
    return { id, text: await readCode(picture, effort, treatment) };
  } catch (error) {
    return { id, text: null, problem: String(error) };
  }
}

self.addEventListener('message', async ({ data }: MessageEvent<DecoderQuestion>) => {
  self.postMessage(await answer(data));
});
