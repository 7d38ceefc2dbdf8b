import { quantile } from './parts/timing.ts';
import { type Contender, contenders } from './scanner/contenders.ts';
import { damageKinds, type Kind, kinds } from './scanner/corpus.ts';
import { decodeAll, type Result } from './scanner/pool.ts';
import { percent, row } from './scanner/table.ts';

const by = Object.keys(contenders) as Contender[];

function rates(results: readonly Result[]): string[] {
  const rate = (contender: Contender, kind?: Kind) =>
    percent(
      results.filter(
        (one) => one.contender === contender && (kind ? one.kind === kind : damageKinds.has(one.kind)),
      ),
    );
  const wrong = (contender: Contender) =>
    results.filter((one) => one.contender === contender && one.wrong).length;
  return [
    row(['codes read', ...by]),
    row(['---', ...by.map(() => '---:')]),
    ...[...damageKinds].map((kind) => row([kind, ...by.map((contender) => rate(contender, kind))])),
    row(['**all**', ...by.map((contender) => `**${rate(contender)}**`)]),
    row(['wrong texts, in all frames', ...by.map(wrong)]),
  ];
}

function times(results: readonly Result[]): string[] {
  const groups: [string, (kind: Kind) => boolean][] = [
    ['with a code', (kind) => damageKinds.has(kind)],
    ['blank', (kind) => kind === 'blank'],
    ['clutter without a code', (kind) => kind === 'clutter'],
  ];
  const shares: [string, number][] = [
    ['median', 0.5],
    ['p95', 0.95],
  ];
  const lines = groups.flatMap(([group, chosen]) =>
    shares.map(([title, share]) => {
      const ms = (contender: Contender) =>
        quantile(
          results.filter((one) => one.contender === contender && chosen(one.kind)).map((one) => one.ms),
          share,
        );
      const ratio = (ours: Contender) => `${(ms('jsQR') / ms(ours)).toFixed(1)} x`;
      return row([
        `${group}, ${title}`,
        ...by.map((contender) => ms(contender).toFixed(1)),
        ratio('scan'),
        ratio('capture'),
      ]);
    }),
  );
  return [
    row(['processor ms a frame', ...by, 'jsQR / scan', 'jsQR / capture']),
    row(['---', ...by.map(() => '---:'), '---:', '---:']),
    ...lines,
  ];
}

const perKind = Number(process.argv[2] ?? 20);
const results = await decodeAll(
  kinds.flatMap((kind) => Array.from({ length: perKind }, (_, index) => ({ kind, perKind, index, by }))),
);
console.log([...rates(results), '', ...times(results)].join('\n'));
if (results.some(({ wrong }) => wrong)) {
  console.error('A reader returned a text that is not in the frame.');
  process.exitCode = 1;
}
