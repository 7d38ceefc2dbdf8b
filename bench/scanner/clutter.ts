import { HEIGHT, type Light, WIDTH } from './scene.ts';

function box(light: Light, left: number, top: number, width: number, height: number, level: number): void {
  const [from, to] = [Math.max(0, Math.floor(left)), Math.min(WIDTH, Math.floor(left + width))];
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(HEIGHT, top + height) && from < to; y += 1) {
    light.fill(level, y * WIDTH + from, y * WIDTH + to);
  }
}

/** Lines of strokes, as dense as print. */
function label(light: Light, left: number, top: number, random: () => number): void {
  box(light, left, top, 260, 190, 0.9);
  for (let line = top + 14; line < top + 170; line += 18) {
    for (let x = left + 12; x < left + 240; x += 3 + random() * 6) {
      if (random() < 0.75) box(light, x, line + random() * 4, 1 + random() * 3, 4 + random() * 8, 0.1);
    }
  }
}

/** Bars, as on the back of a bottle. */
function bars(light: Light, left: number, top: number, random: () => number): void {
  box(light, left, top, 240, 110, 0.92);
  for (let x = left + 15; x < left + 220; x += 3 + random() * 7)
    box(light, x, top + 10, 1 + random() * 4, 80, 0.08);
}

/** Squares within squares, like the corners of a code, but without a code between them. */
function tiles(light: Light, left: number, top: number, random: () => number): void {
  box(light, left, top, 250, 250, 0.9);
  for (let tile = 0; tile < 9; tile += 1) {
    const [x, y] = [left + 10 + (tile % 3) * 80, top + 10 + Math.floor(tile / 3) * 80];
    box(light, x, y, 70, 70, 0.1);
    box(light, x + 10, y + 10, 50, 50, 0.9);
    if (random() < 0.8) box(light, x + 20, y + 20, 30, 30, 0.1);
  }
}

/** A checkered cloth, or random cells without the corners of a code. */
function cells(light: Light, left: number, top: number, random: () => number): void {
  const [edge, chequered] = [6 + Math.floor(random() * 8), random() < 0.5];
  for (let cell = 0; cell < 900; cell += 1) {
    const [column, row] = [cell % 30, Math.floor(cell / 30)];
    const dark = chequered ? (column + row) % 2 === 0 : random() < 0.5;
    box(light, left + column * edge, top + row * edge, edge, edge, dark ? 0.1 : 0.9);
  }
}

export function drawClutter(light: Light, random: () => number): void {
  const shapes = [label, bars, tiles, cells];
  for (let count = 0; count < 4; count += 1) {
    const shape = shapes[Math.floor(random() * shapes.length)] ?? label;
    shape(light, random() * (WIDTH - 300), random() * (HEIGHT - 260), random);
  }
}
