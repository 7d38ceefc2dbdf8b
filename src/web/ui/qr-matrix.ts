import { encode } from 'uqr';

// In modules. With a narrower light border, readers begin to miss the code.
export const quietZone = 4;

/** The dark modules, at the highest error correction, so that scratched or dim screens are readable. */
export function qrMatrix(text: string): boolean[][] {
  return encode(text, { ecc: 'H', border: 0 }).data;
}

/** An SVG path with one box per run of dark modules. The unit is one module. */
export function qrPath(matrix: readonly (readonly boolean[])[]): string {
  const runs: string[] = [];
  matrix.forEach((row, y) => {
    let start = -1;
    for (let x = 0; x <= row.length; x += 1) {
      if (row[x] && start < 0) start = x;
      if (!row[x] && start >= 0) {
        runs.push(`M${start + quietZone} ${y + quietZone}h${x - start}v1h${start - x}z`);
        start = -1;
      }
    }
  });
  return runs.join('');
}
