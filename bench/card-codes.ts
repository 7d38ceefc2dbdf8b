/**
 * The same card in other encodings, held and damaged in the same ways, read by the product's scanner:
 *
 *     node bench/card-codes.ts [frames of each kind]
 */
import { qrMatrix } from '../src/web/ui/qr-matrix.ts';
import type { Writing } from './scanner/codes.ts';
import { writings } from './scanner/codes.ts';
import type { Contender } from './scanner/contenders.ts';
import { damageKinds } from './scanner/corpus.ts';
import { decodeAll } from './scanner/pool.ts';
import { percent, row } from './scanner/table.ts';

const perKind = Number(process.argv[2] ?? 16);
const names = Object.keys(writings) as Writing[];
const by = ['scan', 'capture'] as const satisfies Contender[];
const results = await decodeAll(
  [...damageKinds].flatMap((kind) =>
    Array.from({ length: perKind }, (_, index) =>
      names.map((writing) => ({ kind, perKind, index, writing, by }) as const),
    ).flat(),
  ),
);

const read = (writing: Writing, contender: Contender) =>
  results.filter((one) => one.writing === writing && one.contender === contender);
const frameOf = ({ kind, index, contender }: (typeof results)[number]) => `${kind} ${index} ${contender}`;
const shipped = new Map(read('card', 'capture').map((one) => [frameOf(one), one.read]));
const versus = (writing: Writing) => {
  const others = read(writing, 'capture');
  const won = others.filter((one) => one.read && !shipped.get(frameOf(one))).length;
  const lost = others.filter((one) => !one.read && shipped.get(frameOf(one))).length;
  return `+${won} -${lost}`;
};

console.log(
  [
    row(['writing', 'characters', 'version', 'modules', ...by, 'captures won and lost against the card']),
    row(['---', '---:', '---:', '---:', '---:', '---:', '---:']),
    ...names.map((writing) => {
      const text = writings[writing](1);
      const edge = qrMatrix(text).length;
      return row([
        writing,
        text.length,
        (edge - 17) / 4,
        `${edge} x ${edge}`,
        ...by.map((contender) => percent(read(writing, contender))),
        writing === 'card' ? '' : versus(writing),
      ]);
    }),
    '',
    row(['captures by damage', ...names]),
    row(['---', ...names.map(() => '---:')]),
    ...[...damageKinds].map((kind) =>
      row([kind, ...names.map((name) => percent(read(name, 'capture').filter((one) => one.kind === kind)))]),
    ),
  ].join('\n'),
);
if (results.some(({ wrong }) => wrong)) {
  console.error('A reader returned a text that is not in the frame.');
  process.exitCode = 1;
}
