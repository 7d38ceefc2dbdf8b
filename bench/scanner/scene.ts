import { quietZone } from '../../src/web/ui/qr-matrix.ts';
import { seededRandom } from '../../tests/support/fixtures/camera-frames.ts';

export const WIDTH = 1280;
export const HEIGHT = 720;
/** Focal length of a phone's camera, in pixels: about 60 degrees across the frame. */
const FOCAL_LENGTH = 1100;
/** Light reflected by the code's black, its white and the card around it. */
const [INK, PAPER, CARD] = [0.05, 0.95, 0.2];

/** How a code is held in front of the camera, and how the camera sees it. */
export interface Look {
  /** Edge of the code with its quiet zone, in pixels, seen straight on. */
  side: number;
  /** The position of its middle: 0 is the middle of the frame, 1 one frame further. */
  shift: [number, number];
  /** Degrees in the plane of the frame, and out of it. */
  roll: number;
  pitch: number;
  yaw: number;
  /** Bent around a bottle: the angle of the code's width, in radians. */
  bend: number;
  /** Creased paper or film: how far a point moves, as a share of the side. */
  wrinkle: number;
  inverted: boolean;
  /** How far a finger reaches over the code, as a share of the side, and from where (degrees). */
  finger: number;
  fingerFrom: number;
  /** The screen's own pixels against the sensor's: strength from 0 to 1, and the beat's length in pixels. */
  moire: number;
  beat: number;
  /** Out of focus (sigma) and shaken (length, degrees), in pixels. */
  blur: number;
  shake: number;
  shakeAngle: number;
  /** Lamps reflected in the glass: how many, and their radius as a share of the side. */
  lamps: number;
  lampRadius: number;
  /** Share of full light, share of contrast left, and the sensor's grain in gray values. */
  light: number;
  contrast: number;
  grain: number;
}

export const heldWell: Look = {
  side: 330,
  shift: [0, 0],
  roll: 0,
  pitch: 0,
  yaw: 0,
  bend: 0,
  wrinkle: 0,
  inverted: false,
  finger: 0,
  fingerFrom: 0,
  moire: 0,
  beat: 9,
  blur: 0.6,
  shake: 0,
  shakeAngle: 0,
  lamps: 0,
  lampRadius: 0,
  light: 0.85,
  contrast: 1,
  grain: 3,
};

/** Light per pixel before lens and sensor, row by row. */
export type Light = Float32Array;

export function backdrop(random: () => number): Light {
  const light = new Float32Array(WIDTH * HEIGHT);
  const shapes = Array.from({ length: 7 }, () => ({
    left: random() * WIDTH,
    width: 30 + random() * 140,
    top: random() * HEIGHT * 0.6,
    level: 0.15 + random() * 0.6,
  }));
  const [base, slopeX, slopeY] = [0.3 + random() * 0.3, random() * 0.3 - 0.15, random() * 0.3 - 0.15];
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      light[y * WIDTH + x] = base + (slopeX * x) / WIDTH + (slopeY * y) / HEIGHT;
    }
    for (const { left, width, top, level } of shapes) {
      if (y > top) light.fill(level, y * WIDTH + Math.floor(left), y * WIDTH + Math.min(WIDTH, left + width));
    }
  }
  return light;
}

/** A projective 3x3 map from a pixel to its point on the code's plane: the edge is half a unit from the middle. */
function frameToCode({ side, shift, roll, pitch, yaw }: Look): number[] {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [cr, sr] = [Math.cos(radians(roll)), Math.sin(radians(roll))];
  const [cp, sp] = [Math.cos(radians(pitch)), Math.sin(radians(pitch))];
  const [cy, sy] = [Math.cos(radians(yaw)), Math.sin(radians(yaw))];
  const distance = FOCAL_LENGTH / side;
  const [middleX, middleY] = [WIDTH * (0.5 + shift[0]), HEIGHT * (0.5 + shift[1])];
  // The plane's two axes in space (roll, then pitch, then yaw), and its middle straight ahead.
  const right = [cy * cr + sy * sp * sr, cp * sr, -sy * cr + cy * sp * sr];
  const down = [-cy * sr + sy * sp * cr, cp * cr, sy * sr + cy * sp * cr];
  const image = (axis: number[], depth: number) => [
    FOCAL_LENGTH * axis[0]! + middleX * depth,
    FOCAL_LENGTH * axis[1]! + middleY * depth,
    depth,
  ];
  const [a, d, g] = image(right, right[2]!) as [number, number, number];
  const [b, e, h] = image(down, down[2]!) as [number, number, number];
  const [c, f, i] = [middleX * distance, middleY * distance, distance];
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
}

/** Draws the card with its code over the background, a finger over it, and the pixel grid of the screen. */
export function drawCode(
  light: Light,
  modules: readonly (readonly boolean[])[],
  look: Look,
  random: () => number,
): void {
  const m = frameToCode(look);
  const width = modules.length + 2 * quietZone;
  const [dark, bright, around] = look.inverted ? [PAPER, INK, 1 - CARD] : [INK, PAPER, CARD];
  const samples = look.side < 180 ? 4 : 2;
  const [phaseA, phaseB, waves] = [random() * 6.3, random() * 6.3, 1.5 + random() * 2];
  const from = (look.fingerFrom * Math.PI) / 180;
  const [fingerX, fingerY] = [Math.cos(from), Math.sin(from)];
  const fingerAside = (random() - 0.5) * 0.35;
  const beatAngle = random() * Math.PI;
  const [beatX, beatY] = [Math.cos(beatAngle) / look.beat, Math.sin(beatAngle) / look.beat];

  const seen = (x: number, y: number): number => {
    const w = m[6]! * x + m[7]! * y + m[8]!;
    let u = (m[0]! * x + m[1]! * y + m[2]!) / w;
    let v = (m[3]! * x + m[4]! * y + m[5]!) / w;
    if (Math.abs(u) > 0.8 || Math.abs(v) > 0.8) return Number.NaN;
    const along = u * fingerX + v * fingerY;
    const aside = -u * fingerY + v * fingerX - fingerAside;
    const tip = 0.5 - look.finger;
    const reach = along > tip + 0.11 ? Math.abs(aside) : Math.hypot(along - tip - 0.11, aside);
    if (look.finger > 0 && reach < 0.11) return 0.42 - 1.6 * reach;
    if (look.bend > 0) {
      const halfWidth = Math.sin(look.bend / 2);
      const sine = u * 2 * halfWidth;
      if (Math.abs(sine) >= 1) return 0.1;
      u = Math.asin(sine) / look.bend;
      v += 0.12 * look.bend * (Math.sqrt(1 - sine * sine) - 1);
    }
    if (look.wrinkle > 0) {
      const [waveU, waveV] = [Math.sin(6.3 * waves * v + phaseA), Math.sin(6.3 * waves * u + phaseB)];
      u += look.wrinkle * waveU;
      v += look.wrinkle * waveV;
    }
    if (Math.abs(u) >= 0.5 || Math.abs(v) >= 0.5)
      return Math.abs(u) < 0.6 && Math.abs(v) < 0.7 ? around : Number.NaN;
    const row = modules[Math.floor((v + 0.5) * width) - quietZone];
    return row?.[Math.floor((u + 0.5) * width) - quietZone] ? dark : bright;
  };

  // Maximum size when tilted toward the camera.
  const reach = 1.5 * look.side;
  const [middleX, middleY] = [WIDTH * (0.5 + look.shift[0]), HEIGHT * (0.5 + look.shift[1])];
  const [top, bottom] = [Math.max(0, Math.floor(middleY - reach)), Math.min(HEIGHT, middleY + reach)];
  const [left, right] = [Math.max(0, Math.floor(middleX - reach)), Math.min(WIDTH, middleX + reach)];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      if (Number.isNaN(seen(x + 0.5, y + 0.5))) continue;
      let sum = 0;
      let count = 0;
      for (let step = 0; step < samples * samples; step += 1) {
        const level = seen(
          x + ((step % samples) + 0.5) / samples,
          y + (Math.floor(step / samples) + 0.5) / samples,
        );
        if (Number.isNaN(level)) continue;
        sum += level;
        count += 1;
      }
      const phase = 6.2832 * (beatX * x + beatY * y);
      const grid =
        look.moire * (0.6 * Math.sin(phase) + 0.4 * Math.sin(1.7 * (beatY * x - beatX * y) * 6.2832));
      light[y * WIDTH + x] = (sum / count) * (1 - look.moire / 2 + grid / 2);
    }
  }
}

export function sceneRandom(seed: number): () => number {
  const random = seededRandom(seed);
  // The first numbers of neighboring seeds are similar.
  for (let count = 0; count < 8; count += 1) random();
  return random;
}
