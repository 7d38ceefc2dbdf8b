import jsQRModule from 'jsqr';
import { type Frame, TREATMENTS } from '../../src/web/staff/scanner/frame.ts';
import { lookInTurn } from '../../src/web/staff/scanner/nearest-code.ts';
import { readCode } from '../../src/web/staff/scanner/read-code.ts';

// CommonJS: Node wraps the export once more than the types say.
const jsQR = (jsQRModule as unknown as { default?: typeof jsQRModule }).default ?? jsQRModule;

/** The text in the picture, or null. */
export type Reader = (picture: Frame) => Promise<string | null>;

/** The product's own options, attempt by attempt, all on one frame; the product takes a new frame for each. */
async function capture(picture: Frame): Promise<string | null> {
  const { text } = await lookInTurn(TREATMENTS, (treatment) => readCode(picture, 'capture', treatment));
  return text;
}

export const contenders = {
  scan: async (picture) => (await readCode(picture, 'scan', 'plain')).text,
  capture,
  jsQR: async ({ data, width, height }) =>
    jsQR(data, width, height, { inversionAttempts: 'attemptBoth' })?.data || null,
} satisfies Record<string, Reader>;

export type Contender = keyof typeof contenders;
