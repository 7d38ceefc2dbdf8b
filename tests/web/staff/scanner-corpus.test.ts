// @vitest-environment node
import { beforeAll, describe, expect, test } from 'vitest';
import { contenders } from '../../../bench/scanner/contenders.ts';
import type { Kind, Specimen } from '../../../bench/scanner/corpus.ts';
import { cardToken, damageKinds, specimens } from '../../../bench/scanner/corpus.ts';
import { CARD_TOKEN_LENGTH } from '../../../src/domain/card.ts';
import type { Frame } from '../../support/fixtures/camera-frames.ts';
import { frameToRgba, qrFrame } from '../../support/fixtures/camera-frames.ts';
import { prepareDecoder } from '../../support/harness/scanner-decoder.ts';

const efforts = ['scan', 'capture'] as const;
const picture = ({ width, height, grey }: Frame) => ({
  data: frameToRgba({ width, height, grey }),
  width,
  height,
});

/**
 * The number of three frames of a kind that must be read: [kind, by scan, by capture]. The first frame is hardly damaged,
 * the last nearly unreadable.
 */
const minimums: [Kind, number, number][] = [
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

/** Counts the frames read. A text that is not in the frame fails the test. */
async function countRead(samples: readonly Specimen[]) {
  const read = { scan: 0, capture: 0 };
  for (const { text, frame } of samples) {
    const photo = picture(frame());
    for (const effort of efforts) {
      const answer = await contenders[effort](photo);
      if (answer !== null) expect(answer).toBe(text);
      if (answer !== null) read[effort] += 1;
    }
  }
  return read;
}

beforeAll(prepareDecoder);

describe('the benchmark corpus', () => {
  test.each(minimums)('%s: a scan reads at least %i, a capture at least %i', async (kind, scan, capture) => {
    const read = await countRead(specimens(kind, 3));
    expect(read.scan).toBeGreaterThanOrEqual(scan);
    expect(read.capture).toBeGreaterThanOrEqual(capture);
  });

  test('every kind of damage has a minimum', () => {
    expect(minimums.map(([kind]) => kind)).toEqual([...damageKinds]);
  });

  test.each(['blank', 'clutter'] as const)('no code is read where there is none: %s', async (kind) => {
    expect(await countRead(specimens(kind, 3))).toEqual({ scan: 0, capture: 0 });
  });

  test('the same arguments draw the same frame, and another index a different one', () => {
    const [first, second] = specimens('several at once', 2).map(({ frame }) => Buffer.from(frame().grey));
    expect(first?.equals(specimens('several at once', 2)[0]?.frame().grey ?? Buffer.of())).toBe(true);
    expect(first?.equals(second ?? Buffer.of())).toBe(false);
    expect(cardToken(7)).toHaveLength(CARD_TOKEN_LENGTH);
    expect(cardToken(7)).not.toBe(cardToken(8));
  });
});

test.each([false, true])('both read a code in a frame of the fake camera, inverted: %s', async (invert) => {
  const text = cardToken(3);
  const look = { width: 1280, height: 720, ecc: 'H', size: 320, rotate: 15, noise: 8, invert } as const;
  const photo = picture(qrFrame(text, look));
  for (const effort of efforts) expect(await contenders[effort](photo), effort).toBe(text);
});
