// @vitest-environment node
import { beforeAll, describe, expect, test } from 'vitest';
import { applyTreatment, TREATMENTS } from '../../../src/web/staff/scanner/frame.ts';
import { readCode } from '../../../src/web/staff/scanner/read-code.ts';
import type { Frame, QrLook } from '../../support/fixtures/camera-frames.ts';
import { blankFrame, frameToRgba, qrFrame, seededRandom } from '../../support/fixtures/camera-frames.ts';
import { prepareDecoder } from '../../support/harness/scanner-decoder.ts';

const token = 'AZrC3k_Q9x-ABCDEFGHIJ0123456789abcdefghi';
const hd = { width: 1280, height: 720, ecc: 'H', noise: 12 } as const;

const picture = (frame: Frame) => ({ data: frameToRgba(frame), width: frame.width, height: frame.height });
const shown = (look: QrLook) => picture(qrFrame(token, { ...hd, ...look }));

/** A bar at night: a fifth of the light, plus sensor noise. */
function inTheDark(frame: Frame): Frame {
  const random = seededRandom(7);
  const grey = frame.grey.map((value) => Math.max(0, 8 + value * 0.2 + (random() + random() - 1) * 26));
  return { ...frame, grey };
}

beforeAll(prepareDecoder);

/** Reads the same picture by scan and by capture, because drawing it takes longer than reading it. */
async function expectRead(seen: ReturnType<typeof picture>, text: string | null): Promise<void> {
  for (const effort of ['scan', 'capture'] as const) {
    expect((await readCode(seen, effort, 'plain')).text, `by ${effort}`).toBe(text);
  }
}

describe('a scan and a capture', () => {
  test.each<[string, QrLook]>([
    ['plain', { size: 400 }],
    ['upside down', { size: 400, rotate: 180 }],
    ['tilted', { size: 400, rotate: 37 }],
    ['light on dark', { size: 300, invert: true }],
    ['blurred', { size: 400, blur: 3 }],
    ['faint', { size: 350, contrast: 0.15, blur: 1 }],
    ['partly covered', { size: 380, covered: 0.25 }],
    ['far away', { size: 90 }],
  ])('read a code that is %s', async (_name, look) => {
    await expectRead(shown(look), token);
  });

  test('read a code in the dark', async () => {
    await expectRead(picture(inTheDark(qrFrame(token, { ...hd, size: 350, noise: 0, rotate: 20 }))), token);
  });

  test("read a pending applicant's code, which is their user id", async () => {
    const id = '0197b1f0-0000-7000-8000-000000000001';
    await expectRead(picture(qrFrame(id, hd)), id);
  });

  test.each([0, 90, 255])('find nothing in a blank frame of gray %i', async (grey) => {
    await expectRead(picture(blankFrame(1280, 720, grey)), null);
  });
});

test('a capture reads a code of 70 pixels', async () => {
  expect(await readCode(shown({ size: 70, rotate: 9 }), 'capture', 'plain')).toMatchObject({ text: token });
});

test('a capture reads a code in the middle with each treatment', async () => {
  const seen = shown({ size: 240 });
  for (const treatment of TREATMENTS)
    expect(await readCode(seen, 'capture', treatment), treatment).toMatchObject({ text: token });
});

test('boosted doubles the contrast around middle gray, then brightens by 1.2, and keeps alpha', () => {
  const levels = [0, 64, 100, 128, 160, 255];
  const data = new Uint8ClampedArray(levels.flatMap((level) => [level, level, level, 255]));
  const boosted = applyTreatment({ data, width: levels.length, height: 1 }, 'boosted');
  expect([...boosted.data].filter((_, index) => index % 4 === 0)).toEqual([0, 1, 87, 154, 231, 255]);
  expect([...boosted.data].filter((_, index) => index % 4 === 3)).toEqual(levels.map(() => 255));
});

test('central keeps the middle half of width and height', () => {
  const cells = Array.from({ length: 8 * 4 }, (_, cell) => cell);
  const data = new Uint8ClampedArray(cells.flatMap((cell) => [cell, cell, cell, 255]));
  const middle = applyTreatment({ data, width: 8, height: 4 }, 'central');
  expect([middle.width, middle.height]).toEqual([4, 2]);
  expect([...middle.data].filter((_, index) => index % 4 === 0)).toEqual([10, 11, 12, 13, 18, 19, 20, 21]);
});
