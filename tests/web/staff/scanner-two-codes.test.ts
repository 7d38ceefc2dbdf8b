// @vitest-environment node
import { beforeAll, expect, test } from 'vitest';
import { TREATMENTS } from '../../../src/web/staff/scanner/frame.ts';
import { lookInTurn, NO_CODE } from '../../../src/web/staff/scanner/nearest-code.ts';
import { readCode } from '../../../src/web/staff/scanner/read-code.ts';
import { blankFrame, frameToRgba, type QrLook, qrFrame } from '../../support/fixtures/camera-frames.ts';
import { prepareDecoder } from '../../support/harness/scanner-decoder.ts';

const GUEST = 'AZrC3k_Q9x-ABCDEFGHIJ0123456789abcdefghi';
const NEIGHBOR = 'BYsD4l-R8y_JIHGFEDCBA9876543210ihgfedcba';
const WIDTH = 1280;
const HEIGHT = 720;

/** `x` and `y` are the middle of the code, in pixels from the middle of the frame. */
interface Placed extends QrLook {
  text: string;
  x: number;
  y: number;
}

function photo(...codes: Placed[]) {
  const scene = blankFrame(WIDTH, HEIGHT, 255);
  for (const { text, x, y, size = 200, ...look } of codes) {
    const { grey } = qrFrame(text, { width: size, height: size, size, ecc: 'M', ...look });
    const [left, top] = [WIDTH / 2 + x - size / 2, HEIGHT / 2 + y - size / 2];
    for (let row = 0; row < size; row += 1) {
      scene.grey.set(grey.subarray(row * size, (row + 1) * size), (top + row) * WIDTH + left);
    }
  }
  return { data: frameToRgba(scene), width: WIDTH, height: HEIGHT };
}

const EDGES: [string, number, number][] = [
  ['left', -480, 0],
  ['right', 480, 0],
  ['upper left', -480, -240],
  ['lower right', 480, 240],
];

beforeAll(prepareDecoder);

test.each(EDGES)('a scan takes the middle code, not the %s one', async (_name, x, y) => {
  const view = photo({ text: NEIGHBOR, x, y, size: 240 }, { text: GUEST, x: 0, y: 0 });
  expect(await readCode(view, 'scan', 'plain')).toMatchObject({ text: GUEST, several: false });
});

test.each(EDGES)('every try of a capture takes the middle code, not the %s one', async (_name, x, y) => {
  const view = photo(
    { text: NEIGHBOR, x: x * 0.45, y: y * 0.45, size: 120 },
    { text: GUEST, x: 0, y: 0, size: 140 },
  );
  for (const treatment of TREATMENTS) {
    expect(await readCode(view, 'capture', treatment), treatment).toMatchObject({ text: GUEST });
  }
});

test('a code of blanks counts as none', async () => {
  const view = photo({ text: '  \n ', x: 0, y: 0 });
  for (const effort of ['scan', 'capture'] as const)
    expect(await readCode(view, effort, 'plain')).toMatchObject({ text: null, several: false });
});

test('two different codes equally far from the middle give neither', async () => {
  const view = photo({ text: NEIGHBOR, x: -150, y: 0 }, { text: GUEST, x: 156, y: 0 });
  expect(await readCode(view, 'scan', 'plain')).toMatchObject({ text: null, several: true });
  for (const treatment of TREATMENTS) {
    expect(await readCode(view, 'capture', treatment), treatment).toMatchObject({
      text: null,
      several: true,
    });
  }
});

test('the same code twice in view is one code', async () => {
  const view = photo({ text: GUEST, x: -150, y: 0 }, { text: GUEST, x: 150, y: 0 });
  expect(await readCode(view, 'scan', 'plain')).toMatchObject({ text: GUEST, several: false });
});

test.each(EDGES)('a middle code that cannot be read hides the %s one', async (_name, x, y) => {
  const view = photo({ text: NEIGHBOR, x, y }, { text: GUEST, x: 0, y: 0, covered: 0.5 });
  for (const effort of ['scan', 'capture'] as const) {
    expect((await readCode(view, effort, 'plain')).text, effort).toBeNull();
  }
});

test.each(EDGES)('a code alone at the %s is read, and known to be off the middle', async (_name, x, y) => {
  const reading = await readCode(photo({ text: GUEST, x, y }), 'capture', 'plain');
  expect(reading).toMatchObject({ text: GUEST, several: false, central: false });
});

test('a code in the middle that a later try reads wins over one off the middle that an earlier try read', async () => {
  const off = { text: NEIGHBOR, several: false, central: false };
  const middle = { text: GUEST, several: false, central: true };
  const readings = (...all: (typeof off | typeof NO_CODE)[]) => lookInTurn(all, async (reading) => reading);
  expect(await readings(off, NO_CODE, middle)).toBe(middle);
  expect(await readings(NO_CODE, off, NO_CODE)).toBe(off);
  expect((await readings(off, { ...NO_CODE, central: true }, off)).text).toBeNull();
});
