import { encode } from 'uqr';

// Four light modules around the code: with fewer, scanners start to miss it.
export const quietZone = 4;

/** Which modules are dark, at the highest error correction: a scratched or dim screen must still scan. */
export function qrMatrix(text: string): boolean[][] {
  return encode(text, { ecc: 'H', border: 0 }).data;
}

/** One closed box per run of dark modules, in units of a module. */
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
