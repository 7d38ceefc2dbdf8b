import type { Frame } from '../../tests/support/fixtures/camera-frames.ts';
import { HEIGHT, type Light, type Look, WIDTH } from './scene.ts';

/** Each pixel becomes the weighted sum of those along a line through it; the frame's edge repeats. */
function along(light: Light, steps: readonly (readonly [x: number, y: number, weight: number])[]): Light {
  const result = new Float32Array(light.length);
  for (const [stepX, stepY, weight] of steps) {
    for (let y = 0; y < HEIGHT; y += 1) {
      const row = y * WIDTH;
      const from = Math.min(HEIGHT - 1, Math.max(0, y + stepY)) * WIDTH;
      const first = Math.max(0, -stepX);
      const end = WIDTH - Math.max(0, stepX);
      for (let x = 0; x < first; x += 1) result[row + x]! += light[from]! * weight;
      for (let x = first; x < end; x += 1) result[row + x]! += light[from + x + stepX]! * weight;
      for (let x = end; x < WIDTH; x += 1) result[row + x]! += light[from + WIDTH - 1]! * weight;
    }
  }
  return result;
}

function outOfFocus(light: Light, sigma: number): Light {
  if (sigma < 0.2) return light;
  const reach = Math.ceil(2.5 * sigma);
  const offsets = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
  const weights = offsets.map((offset) => Math.exp(-(offset * offset) / (2 * sigma * sigma)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const steps = offsets.map((offset, index) => [offset, weights[index]! / total] as const);
  const across = along(
    light,
    steps.map(([offset, weight]) => [offset, 0, weight]),
  );
  return along(
    across,
    steps.map(([offset, weight]) => [0, offset, weight]),
  );
}

function shaken(light: Light, length: number, degrees: number): Light {
  const taps = Math.round(length);
  if (taps < 2) return light;
  const angle = (degrees * Math.PI) / 180;
  const steps = Array.from({ length: taps }, (_, index) => {
    const offset = index - (taps - 1) / 2;
    return [Math.round(offset * Math.cos(angle)), Math.round(offset * Math.sin(angle)), 1 / taps] as const;
  });
  return along(light, steps);
}

/** Lamps reflected in the glass: white in the middle, with a haze around. */
function addLamps(light: Light, { lamps, lampRadius, side, shift }: Look, random: () => number): void {
  for (let lamp = 0; lamp < lamps; lamp += 1) {
    const middleX = WIDTH * (0.5 + shift[0]) + (random() - 0.5) * side * 0.8;
    const middleY = HEIGHT * (0.5 + shift[1]) + (random() - 0.5) * side * 0.8;
    const radius = lampRadius * side * (0.8 + 0.4 * random());
    const stretch = 0.6 + random() * 0.9;
    for (let y = 0; y < HEIGHT; y += 1) {
      for (let x = 0; x < WIDTH; x += 1) {
        const distance = Math.hypot((x - middleX) / stretch, y - middleY) / radius;
        if (distance < 2.5)
          light[y * WIDTH + x]! += 1.6 * Math.exp(-(distance ** 4)) + 0.25 * Math.exp(-(distance ** 2) / 2);
      }
    }
  }
}

/** The light as the camera records it: lens, glare, exposure, grain, 256 levels. */
export function photographed(scene: Light, look: Look, random: () => number): Frame {
  const light = shaken(outOfFocus(scene, look.blur), look.shake, look.shakeAngle);
  addLamps(light, look, random);
  const bell = Float32Array.from({ length: 4096 }, () => (random() + random() + random() - 1.5) * 2);
  const grey = new Uint8Array(light.length);
  for (let index = 0; index < light.length; index += 1) {
    const level = 0.5 + (Math.min(1.2, light[index]!) - 0.5) * look.contrast;
    // Noise grows with brightness, as it does for photons.
    const grain =
      bell[Math.floor(random() * bell.length)]! * look.grain * Math.sqrt(0.5 + level * look.light);
    grey[index] = Math.max(0, Math.min(255, Math.round(8 + 247 * level * look.light + grain)));
  }
  return { width: WIDTH, height: HEIGHT, grey };
}
