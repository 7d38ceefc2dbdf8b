import { writeFileSync } from 'node:fs';
import { encode } from 'uqr';

/** Grey values, 0 black to 255 white, row by row. */
export type Frame = { width: number; height: number; grey: Uint8Array };

/** How a QR code is held in front of the camera. */
export type QrLook = {
  width?: number;
  height?: number;
  /** Side of the code, quiet zone included, in pixels. */
  size?: number;
  ecc?: 'L' | 'M' | 'Q' | 'H';
  /** Clockwise, in degrees. */
  rotate?: number;
  /** Radius of the blur in pixels. */
  blur?: number;
  /** Strength of the sensor's noise in grey values. */
  noise?: number;
  /** 0 to 1: how much contrast is left. */
  contrast?: number;
  /** Light modules on dark ground. */
  invert?: boolean;
  /** 0 to 1: how much of the code's side a spot in its middle hides. */
  covered?: number;
  seed?: number;
};

/** A repeatable source of numbers from 0 to below 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A frame of one grey. */
export function blankFrame(width = 640, height = 480, grey = 255): Frame {
  return { width, height, grey: new Uint8Array(width * height).fill(grey) };
}

function blurred({ width, height, grey }: Frame, radius: number): Frame {
  const pass = (source: Uint8Array, stepX: number, stepY: number) => {
    const target = new Uint8Array(source.length);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        let sum = 0;
        for (let offset = -radius; offset <= radius; offset += 1) {
          const nearX = Math.min(width - 1, Math.max(0, x + offset * stepX));
          const nearY = Math.min(height - 1, Math.max(0, y + offset * stepY));
          sum += source[nearY * width + nearX] ?? 0;
        }
        target[y * width + x] = Math.round(sum / (2 * radius + 1));
      }
    }
    return target;
  };
  return { width, height, grey: pass(pass(grey, 1, 0), 0, 1) };
}

/** Draws a QR code of the text as a camera might see it; the same look gives the same pixels every time. */
export function qrFrame(text: string, look: QrLook = {}): Frame {
  const { width = 640, height = 480, ecc = 'M', rotate = 0, blur = 0, noise = 0 } = look;
  const { size = Math.round(Math.min(width, height) * 0.75), contrast = 1, covered = 0, seed = 1 } = look;
  const { data, size: modules } = encode(text, { ecc, border: 4 });
  const [dark, light] = look.invert ? [255, 0] : [0, 255];
  const frame = blankFrame(width, height, light);
  const angle = (-rotate * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [fromX, fromY] = [x + 0.5 - width / 2, y + 0.5 - height / 2];
      const column = Math.floor(((fromX * cos - fromY * sin) / size + 0.5) * modules);
      const row = Math.floor(((fromX * sin + fromY * cos) / size + 0.5) * modules);
      const hidden = covered > 0 && Math.hypot(fromX, fromY) < (covered * size) / 2;
      if (data[row]?.[column] && !hidden) frame.grey[y * width + x] = dark;
    }
  }
  const { grey } = blur > 0 ? blurred(frame, Math.round(blur)) : frame;
  const random = seededRandom(seed);
  for (const [index, value] of grey.entries()) {
    const grain = noise > 0 ? (random() + random() - 1) * noise : 0;
    // A clamped array would do this silently; y4m readers take what they get.
    grey[index] = Math.min(255, Math.max(0, Math.round(128 + (value - 128) * contrast + grain)));
  }
  return { width, height, grey };
}

/** The frame as RGBA, the form that a canvas or a decoder takes. */
export function frameToRgba({ width, height, grey }: Frame): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const [index, value] of grey.entries()) rgba.fill(value, index * 4, index * 4 + 3);
  return rgba;
}

/**
 * Writes a y4m video (YUV 4:2:0, uncompressed) that Chromium plays over and over as its camera.
 * All frames have one size, with even sides.
 */
export function writeVideo(file: string, frames: Frame[], framesPerSecond = 10): void {
  const first = frames[0];
  if (!first) throw new Error('A video needs a frame');
  const { width, height } = first;
  if (width % 2 || height % 2) throw new Error('YUV 4:2:0 needs even sides');
  const colourless = Buffer.alloc((width * height) / 2, 128);
  const chunks = [Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420jpeg\n`)];
  for (const frame of frames) {
    if (frame.width !== width || frame.height !== height) throw new Error('Frames differ in size');
    chunks.push(Buffer.from('FRAME\n'), Buffer.from(frame.grey), colourless);
  }
  writeFileSync(file, Buffer.concat(chunks));
}
