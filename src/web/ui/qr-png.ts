import { qrMatrix, quietZone } from './qr-matrix.ts';

/** The code as a PNG of size x size pixels, with whole pixels per module; the rest goes to the light border. */
export function qrPng(text: string, size: number): Promise<Blob> {
  const matrix = qrMatrix(text);
  const module = Math.floor(size / (matrix.length + 2 * quietZone));
  if (module < 1) return Promise.reject(new RangeError(`${size} pixels are too few for this code`));
  const offset = Math.floor((size - module * matrix.length) / 2);

  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) return Promise.reject(new Error('This browser has no 2D canvas'));
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size, size);
  context.fillStyle = '#000';
  matrix.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark) context.fillRect(offset + x * module, offset + y * module, module, module);
    });
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The canvas returned no image'))),
      'image/png',
    );
  });
}
