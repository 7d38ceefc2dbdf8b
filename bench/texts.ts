import { z } from 'zod';
import { longTexts } from '../tests/support/texts/long-texts.ts';
import { filled, INPUTS, TEXT_FIELDS } from '../tests/support/texts/text-fields.ts';

const length = Number(process.argv[2] ?? 60_000);
const count = Number(process.argv[3] ?? 5);

/** The shortest of three times, in milliseconds. */
const timed = (work: () => unknown) =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const startedAt = performance.now();
      work();
      return performance.now() - startedAt;
    }),
  );

interface Row {
  name: string;
  text: string;
  ms: number;
}

function table(title: string, rows: Row[]): void {
  console.log(`\n${title} | repeated | ms\n---|---|---`);
  for (const { name, text, ms } of rows.toSorted((a, b) => b.ms - a.ms).slice(0, count)) {
    console.log(`${name} | ${JSON.stringify(text.slice(0, 8))} | ${ms.toFixed(2)}`);
  }
}

const texts = longTexts(length);
const slowest = (name: string, check: (text: string) => unknown): Row => {
  const rows = texts.map((text) => ({ name, text, ms: timed(() => check(text)) }));
  return rows.reduce((most, row) => (row.ms > most.ms ? row : most));
};

table(
  'text of a call',
  TEXT_FIELDS.map(({ name, schema }) => slowest(name, (text) => z.core.safeParse(schema, text))),
);
table(
  'whole input',
  INPUTS.map(({ name, input }) => slowest(name, (text) => z.core.safeParse(input, filled(input, text)))),
);
