import { signCardToken } from '../../src/server/card/card-token.ts';
import { keyFor } from '../../src/server/config/purpose-key.ts';
import { qrMatrix } from '../../src/web/ui/qr-matrix.ts';
import type { Frame } from '../../tests/support/fixtures/camera-frames.ts';
import { photographed } from './camera.ts';
import { drawClutter } from './clutter.ts';
import { backdrop, drawCode, heldWell, type Look, sceneRandom } from './scene.ts';

const graded = (severity: number, a: number, b: number) => a + (b - a) * severity;

type Damage = (severity: number, random: () => number) => Partial<Look>;

/** The damage to the picture, from slight to hopeless; everything not named is as in a good picture. */
const damages = {
  clean: (s, r) => ({ side: graded(r(), 220, 500), roll: graded(r(), -8, 8), grain: graded(s, 1, 4) }),
  small: (s, r) => ({ side: graded(s, 150, 45), roll: graded(r(), -15, 15), blur: 0.5 }),
  rotated: (s, r) => ({
    side: graded(s, 300, 110),
    roll: r() * 360,
    pitch: graded(r(), -20, 20),
    yaw: graded(r(), -20, 20),
  }),
  perspective: (s, r) => {
    const [lean, way] = [graded(s, 25, 78), r() * 6.3];
    return { side: 420, roll: r() * 30, pitch: lean * Math.sin(way), yaw: lean * Math.cos(way) };
  },
  'out of focus': (s, r) => ({ side: graded(r(), 200, 400), blur: graded(s, 1.2, 7), roll: r() * 30 }),
  shaken: (s, r) => ({ shake: graded(s, 5, 30), shakeAngle: r() * 180, roll: r() * 20 }),
  glare: (s, r) => ({ lamps: 1 + Math.floor(r() * 4), lampRadius: graded(s, 0.04, 0.22), roll: r() * 20 }),
  dim: (s, r) => ({ light: graded(s, 0.22, 0.03), grain: graded(s, 5, 14), blur: 1, roll: r() * 20 }),
  faint: (s, r) => ({ contrast: graded(s, 0.3, 0.03), grain: graded(r(), 3, 7), roll: r() * 20 }),
  covered: (s, r) => ({ finger: graded(s, 0.08, 0.6), fingerFrom: r() * 360, roll: r() * 20 }),
  inverted: (s, r) => ({
    inverted: true,
    side: graded(s, 400, 90),
    blur: graded(s, 0.6, 1.6),
    roll: r() * 360,
    grain: graded(s, 3, 10),
  }),
  bent: (s, r) => ({ bend: graded(s, 0.3, 2.2), yaw: graded(r(), -25, 25), roll: r() * 360 }),
  wrinkled: (s, r) => ({ wrinkle: graded(s, 0.002, 0.02), roll: r() * 360 }),
  moire: (s, r) => ({ moire: graded(s, 0.3, 1), beat: graded(r(), 2.2, 30), roll: r() * 20 }),
  'several at once': (s, r) => ({
    side: graded(r(), 260, 110),
    roll: r() * 360,
    pitch: graded(s, 10, 40) * (r() - 0.5) * 2,
    yaw: graded(s, 10, 40) * (r() - 0.5) * 2,
    blur: graded(s, 0.6, 2),
    shake: graded(s, 1, 6),
    shakeAngle: r() * 180,
    light: graded(s, 0.5, 0.12),
    grain: graded(s, 4, 10),
    lamps: r() < 0.5 ? 1 : 0,
    lampRadius: graded(s, 0.03, 0.12),
    finger: r() < 0.4 ? graded(s, 0.05, 0.2) : 0,
    fingerFrom: r() * 360,
    inverted: r() < 0.3,
  }),
} satisfies Record<string, Damage>;

const blanks = ['blank', 'clutter'] as const;

export type Kind = keyof typeof damages | (typeof blanks)[number];
export const damageKinds: ReadonlySet<Kind> = new Set(Object.keys(damages) as Kind[]);
export const kinds: Kind[] = [...damageKinds, ...blanks];

export interface Specimen {
  kind: Kind;
  /** Between 0 (slightly damaged) and 1 (hopeless). */
  severity: number;
  /** The text of the code; null without a code. */
  text: string | null;
  frame(): Frame;
}

const key = keyFor('the key of a bench', 'membership-card/v1');

export function cardToken(seed: number): string {
  const random = sceneRandom(seed);
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  const customer_id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return signCardToken(key, { customer_id, expires_at: 1_800_000_000 + Math.floor(random() * 1e8) });
}

function lookOf(damage: Damage, severity: number, random: () => number): Look {
  const shift: Look['shift'] = [graded(random(), -0.12, 0.12), graded(random(), -0.06, 0.06)];
  return { ...heldWell, shift, ...damage(severity, random) };
}

/** Frames of one kind, from slightly damaged to hopeless. Same arguments, same pixels. */
export function specimens(kind: Kind, count: number): Specimen[] {
  const damage = kind === 'blank' || kind === 'clutter' ? null : damages[kind];
  return Array.from({ length: count }, (_, index) => {
    const seed = 1000 * (1 + kinds.indexOf(kind)) + index;
    const severity = (index + 0.5) / count;
    const text = damage ? cardToken(seed) : null;
    return {
      kind,
      severity,
      text,
      frame: () => {
        const random = sceneRandom(seed);
        const scene = backdrop(random);
        const look = damage
          ? lookOf(damage, severity, random)
          : { ...heldWell, grain: graded(severity, 0, 12) };
        if (damage && text) drawCode(scene, qrMatrix(text), look, random);
        if (kind === 'clutter') drawClutter(scene, random);
        if (kind === 'blank') scene.fill(random());
        return photographed(scene, look, random);
      },
    };
  });
}
