/**
 * Decodes one corpus with the product's scanner and with jsQR, in one run, and prints a markdown table:
 *
 *     node bench/scanner.ts [frames of each kind]
 */
import jsQRModule from 'jsqr';
import type { Picture } from '../src/web/features/scanner/picture.ts';
import { TREATMENTS } from '../src/web/features/scanner/picture.ts';
import { readCode } from '../src/web/features/scanner/read-code.ts';
import { frameToRgba } from '../tests/support/camera.ts';
import { prepareDecoder } from '../tests/scanner/wasm.ts';
import type { Kind } from './scanner-corpus.ts';
import { kinds, specimens } from './scanner-corpus.ts';

// CommonJS, which Node wraps once more than the types say.
const jsQR = (jsQRModule as unknown as { default?: typeof jsQRModule }).default ?? jsQRModule;

type Contender = (picture: Picture) => Promise<string | null>;

/** What a press of the button tries, with every attempt on the same frame; the product takes a fresh one for each. */
export const capture: Contender = async (picture) => {
  for (const treatment of TREATMENTS) {
    const text = await readCode(picture, 'capture', treatment);
    if (text) return text;
  }
  return null;
};

const contenders: Record<string, Contender> = {
  scan: (picture) => readCode(picture, 'scan', 'plain'),
  capture,
  jsQR: async ({ data, width, height }) =>
    jsQR(data, width, height, { inversionAttempts: 'attemptBoth' })?.data || null,
};
const names = Object.keys(contenders);

interface Outcome {
  contender: string;
  kind: Kind;
  read: boolean;
  wrong: boolean;
  ms: number;
}

/** The value below which this share of them lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

async function decodeAll(perKind: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const kind of kinds) {
    for (const { text, frame } of specimens(kind, perKind)) {
      const drawn = frame();
      const picture: Picture = { data: frameToRgba(drawn), width: drawn.width, height: drawn.height };
      for (const [contender, decode] of Object.entries(contenders)) {
        const start = performance.now();
        const answer = await decode(picture);
        const ms = performance.now() - start;
        const read = answer !== null && answer === text;
        outcomes.push({ contender, kind, read, wrong: answer !== null && answer !== text, ms });
      }
    }
  }
  return outcomes;
}

const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

function report(outcomes: readonly Outcome[]): string {
  const of = (contender: string, chosen: readonly Kind[]) =>
    outcomes.filter((outcome) => outcome.contender === contender && chosen.includes(outcome.kind));
  const withCode = kinds.filter((kind) => kind !== 'blank' && kind !== 'clutter');
  const rate = (contender: string, chosen: readonly Kind[]) => {
    const some = of(contender, chosen);
    return `${Math.round((100 * some.filter(({ read }) => read).length) / some.length)} %`;
  };
  const ms = (contender: string, chosen: readonly Kind[], share: number) =>
    quantile(
      of(contender, chosen).map((outcome) => outcome.ms),
      share,
    );
  const times = [
    { title: 'with a code, median', chosen: withCode, share: 0.5 },
    { title: 'with a code, p95', chosen: withCode, share: 0.95 },
    { title: 'blank, median', chosen: ['blank'] as Kind[], share: 0.5 },
    { title: 'blank, p95', chosen: ['blank'] as Kind[], share: 0.95 },
    { title: 'clutter, median', chosen: ['clutter'] as Kind[], share: 0.5 },
    { title: 'clutter, p95', chosen: ['clutter'] as Kind[], share: 0.95 },
  ];
  return [
    line(['frames read', ...names]),
    line(['---', ...names.map(() => '---:')]),
    ...withCode.map((kind) => line([kind, ...names.map((name) => rate(name, [kind]))])),
    line(['**all with a code**', ...names.map((name) => `**${rate(name, withCode)}**`)]),
    line(['wrong text', ...names.map((name) => of(name, kinds).filter(({ wrong }) => wrong).length)]),
    '',
    line(['ms per frame', ...names, ...names.slice(0, 2).map((name) => `jsQR : ${name}`)]),
    line(['---', ...names.map(() => '---:'), '---:', '---:']),
    ...times.map(({ title, chosen, share }) => {
      const [scan = 0, capturing = 0, other = 0] = names.map((name) => ms(name, chosen, share));
      const ratios = [scan, capturing].map((ours) => `${(other / ours).toFixed(1)} x`);
      return line([title, ...[scan, capturing, other].map((value) => value.toFixed(1)), ...ratios]);
    }),
  ].join('\n');
}

const perKind = Number(process.argv[2] ?? 24);
await prepareDecoder();
// The first pictures compile both; they are not counted.
for (const { frame } of specimens('clean', 3)) {
  const { width, height, ...drawn } = frame();
  const picture = { data: frameToRgba({ ...drawn, width, height }), width, height };
  for (const decode of Object.values(contenders)) await decode(picture);
}
const outcomes = await decodeAll(perKind);
console.log(report(outcomes));
if (outcomes.some(({ wrong }) => wrong)) process.exitCode = 1;
