import { quantile } from './parts/timing.ts';
import { type Contender, contenders } from './scanner/contenders.ts';
import { damageKinds, type Kind, kinds } from './scanner/corpus.ts';
import { decodeAll, type Result } from './scanner/pool.ts';
import { percent, row } from './scanner/table.ts';

const names = Object.keys(contenders) as Contender[];

function rates(results: readonly Result[]): string[] {
  const rate = (contender: Contender, kind?: Kind) =>
    percent(
      results.filter(
        (result) =>
          result.contender === contender && (kind ? result.kind === kind : damageKinds.has(result.kind)),
      ),
    );
  const wrong = (contender: Contender) =>
    results.filter((result) => result.contender === contender && result.wrong).length;
  return [
    row(['codes read', ...names]),
    row(['---', ...names.map(() => '---:')]),
    ...[...damageKinds].map((kind) => row([kind, ...names.map((contender) => rate(contender, kind))])),
    row(['**all**', ...names.map((contender) => `**${rate(contender)}**`)]),
    row(['wrong texts, in all frames', ...names.map(wrong)]),
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
  const lines = groups.flatMap(([group, filter]) =>
    shares.map(([title, share]) => {
      const ms = (contender: Contender) =>
        quantile(
          results
            .filter((result) => result.contender === contender && filter(result.kind))
            .map((result) => result.ms),
          share,
        );
      const ratio = (contender: Contender) => `${(ms('jsQR') / ms(contender)).toFixed(1)} x`;
      return row([
        `${group}, ${title}`,
        ...names.map((contender) => ms(contender).toFixed(1)),
        ratio('scan'),
        ratio('capture'),
      ]);
    }),
  );
  return [
    row(['processor ms a frame', ...names, 'jsQR / scan', 'jsQR / capture']),
    row(['---', ...names.map(() => '---:'), '---:', '---:']),
    ...lines,
  ];
}

const perKind = Number(process.argv[2] ?? 20);
const results = await decodeAll(
  kinds.flatMap((kind) =>
    Array.from({ length: perKind }, (_, index) => ({ kind, perKind, index, by: names })),
  ),
);
console.log([...rates(results), '', ...times(results)].join('\n'));
if (results.some(({ wrong }) => wrong)) {
  console.error('A reader returned a text that is not in the frame.');
  process.exitCode = 1;
}
