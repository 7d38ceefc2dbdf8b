import { beforeAll, describe, expect, test } from 'vitest';
import { contenders } from '../../bench/scanner-contenders.ts';
import type { Kind, Specimen } from '../../bench/scanner-corpus.ts';
import { cardToken, damageKinds, specimens } from '../../bench/scanner-corpus.ts';
import { CARD_TOKEN_LENGTH } from '../../src/domain/card.ts';
import type { Frame } from '../support/fixtures/camera-frames.ts';
import { frameToRgba, qrFrame } from '../support/fixtures/camera-frames.ts';
import { prepareDecoder } from './wasm.ts';

const efforts = ['scan', 'capture'] as const;
const picture = ({ width, height, grey }: Frame) => ({
  data: frameToRgba({ width, height, grey }),
  width,
  height,
});

/** Of three frames of a kind (hardly damaged, badly, nearly hopeless), so many are read by [scan, capture]. */
const floors: [Kind, number, number][] = [
  ['clean', 3, 3],
  ['small', 2, 3],
  ['rotated', 3, 3],
  ['perspective', 2, 2],
  ['out of focus', 2, 2],
  ['shaken', 1, 1],
  ['glare', 2, 2],
  ['dim', 2, 2],
  ['faint', 3, 3],
  ['covered', 1, 1],
  ['inverted', 2, 3],
  ['bent', 2, 2],
  ['wrinkled', 1, 1],
  ['moire', 1, 2],
  ['several at once', 2, 2],
];

/** How many of them are read; a text that is not in the frame fails the test. */
async function readOf(some: readonly Specimen[]) {
  const read = { scan: 0, capture: 0 };
  for (const { text, frame } of some) {
    const seen = picture(frame());
    for (const effort of efforts) {
      const answer = await contenders[effort](seen);
      if (answer !== null) expect(answer).toBe(text);
      if (answer !== null) read[effort] += 1;
    }
  }
  return read;
}

beforeAll(prepareDecoder);

describe('the corpus of the benchmark', () => {
  test.each(floors)('%s: at least %i by a scan, %i by a capture', async (kind, scan, capture) => {
    const read = await readOf(specimens(kind, 3));
    expect(read.scan).toBeGreaterThanOrEqual(scan);
    expect(read.capture).toBeGreaterThanOrEqual(capture);
  });

  test('every damage has its floor', () => {
    expect(floors.map(([kind]) => kind)).toEqual([...damageKinds]);
  });

  test.each(['blank', 'clutter'] as const)('nothing is read where nothing is: %s', async (kind) => {
    expect(await readOf(specimens(kind, 3))).toEqual({ scan: 0, capture: 0 });
  });

  test('the same frame is drawn every time, another one for another place', () => {
    const [first, second] = specimens('several at once', 2).map(({ frame }) => frame().grey);
    expect(specimens('several at once', 2)[0]?.frame().grey).toEqual(first);
    expect(second).not.toEqual(first);
    expect(cardToken(7)).toHaveLength(CARD_TOKEN_LENGTH);
    expect(cardToken(7)).not.toBe(cardToken(8));
  });
});

describe.each(efforts)('%s, before the fake camera', (effort) => {
  test.each([false, true])('inverted: %s', async (invert) => {
    const text = cardToken(3);
    const frame = qrFrame(text, {
      width: 1280,
      height: 720,
      ecc: 'H',
      size: 320,
      rotate: 15,
      noise: 8,
      invert,
    });
    expect(await contenders[effort](picture(frame))).toBe(text);
  });
});
