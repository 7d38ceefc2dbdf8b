/** A camera frame as RGBA. ImageData matches, as do the frames drawn by tests. */
export interface Frame {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

/** The treatments that a capture tries, in order (`docs/rules/card.md`, "Scanner"). */
export const TREATMENTS = ['plain', 'boosted', 'central'] as const;
export type Treatment = (typeof TREATMENTS)[number];

const CONTRAST = 2;
const BRIGHTNESS = 1.2;

// Computed here because some phone browsers lack canvas filters.
const boostedLevels = Uint8ClampedArray.from({ length: 256 }, (_, level) =>
  Math.round(Math.min(255, Math.max(0, (level - 127.5) * CONTRAST + 127.5)) * BRIGHTNESS),
);

function boosted({ data, width, height }: Frame): Frame {
  const bright = new Uint8ClampedArray(data.length).fill(255);
  for (let pixel = 0; pixel < data.length; pixel += 4) {
    for (let index = pixel; index < pixel + 3; index += 1) {
      bright[index] = boostedLevels[data[index] ?? 0] ?? 0;
    }
  }
  return { data: bright, width, height };
}

/** The middle half of width and height. */
function central({ data, width, height }: Frame): Frame {
  const [newWidth, newHeight] = [Math.floor(width / 2), Math.floor(height / 2)];
  const [left, top] = [Math.floor((width - newWidth) / 2), Math.floor((height - newHeight) / 2)];
  const cut = new Uint8ClampedArray(newWidth * newHeight * 4);
  for (let row = 0; row < newHeight; row += 1) {
    const start = ((top + row) * width + left) * 4;
    cut.set(data.subarray(start, start + newWidth * 4), row * newWidth * 4);
  }
  return { data: cut, width: newWidth, height: newHeight };
}

export function applyTreatment(frame: Frame, treatment: Treatment): Frame {
  if (treatment === 'boosted') return boosted(frame);
  if (treatment === 'central') return central(frame);
  return frame;
}
