/** Each picture is read upright and turned three times. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Frame } from '../src/web/staff/scanner/frame.ts';
import { prepareDecoder } from '../tests/support/harness/scanner-decoder.ts';
import { median, short } from './parts/timing.ts';
import { type Contender, contenders } from './scanner/contenders.ts';
import { percent, row } from './scanner/table.ts';

const SETS = /^qrcode-\d+$/;
const TURNS = [0, 90, 180, 270];
const names = Object.keys(contenders) as Contender[];

interface Result {
  set: string;
  contender: Contender;
  read: boolean;
  /** A text other than the one the project expects. */
  other: boolean;
  ms: number;
}

/** Pictures whose expected text is in a file of the same name; other kinds of results are skipped. */
function picturesOf(folder: string): { path: string; text: string }[] {
  return readdirSync(folder)
    .filter((file) => /\.(png|jpe?g|webp)$/.test(file))
    .map((file) => ({ path: join(folder, file), textPath: join(folder, file.replace(/\.\w+$/, '.txt')) }))
    .filter(({ textPath }) => existsSync(textPath))
    .map(({ path, textPath }) => ({ path, text: readFileSync(textPath, 'utf8') }));
}

async function frameOf(path: string, turn: number): Promise<Frame> {
  const { data, info } = await sharp(path)
    .rotate(turn)
    // Transparent pixels become white, as on a page.
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height };
}

async function decode(set: string, frame: Frame, text: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const contender of names) {
    const usage = process.cpuUsage();
    const answer = await contenders[contender](frame);
    const { user, system } = process.cpuUsage(usage);
    const isRead = answer !== null && answer.trimEnd() === text.trimEnd();
    results.push({
      set,
      contender,
      read: isRead,
      other: answer !== null && !isRead,
      ms: (user + system) / 1000,
    });
  }
  return results;
}

const [argument = ''] = process.argv.slice(2);
const folder = existsSync(join(argument, 'test/samples')) ? join(argument, 'test/samples') : argument;
const sets = existsSync(folder) ? readdirSync(folder).filter((name) => SETS.test(name)) : [];
if (sets.length === 0) {
  console.error('Name a folder with a clone of https://github.com/zxing-cpp/zxing-cpp');
  process.exit(1);
}
await prepareDecoder();
const results: Result[] = [];
const counts = new Map<string, number>();
for (const set of sets) {
  for (const { path, text } of picturesOf(join(folder, set))) {
    for (const turn of TURNS) {
      results.push(...(await decode(set, await frameOf(path, turn), text)));
      counts.set(set, (counts.get(set) ?? 0) + 1);
    }
  }
}

const of = (contender: Contender, set?: string) =>
  results.filter((result) => result.contender === contender && (!set || result.set === set));
console.log(row(['pictures read', 'pictures', ...names]));
console.log(row(['---', '---:', ...names.map(() => '---:')]));
for (const [set, count] of counts) {
  console.log(row([set, count, ...names.map((contender) => percent(of(contender, set)))]));
}
console.log(row(['all', of('scan').length, ...names.map((contender) => percent(of(contender), 1))]));
console.log(row(['another text', '', ...names.map((it) => of(it).filter(({ other }) => other).length)]));
console.log(
  row(['processor ms, median', '', ...names.map((it) => short(median(of(it).map(({ ms }) => ms))))]),
);
