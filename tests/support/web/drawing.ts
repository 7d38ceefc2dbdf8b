import { type Mock, vi } from 'vitest';

/** The browser's canvas, missing in the tests' environment: every file is a picture of 4000 by 3000 pixels. */
export function stubDrawing(drawn: Mock = vi.fn()): void {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 4000, height: 3000, close: () => undefined }));
  const getImageData = () => ({ data: new Uint8ClampedArray(4) });
  // Only what a drawing uses.
  const context = { drawImage: drawn, getImageData } as unknown as CanvasRenderingContext2D;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, _, quality) =>
    // Too large at the best quality.
    done(new Blob([new Uint8Array(quality === 0.9 ? 45_001 : 6)])),
  );
}

/** The six bytes of a drawing, as sent. */
export const DRAWN = btoa('\0\0\0\0\0\0');
