/** What a text is repeated from: the characters on which patterns begin again. */
const UNITS = [
  ...[
    ' ',
    '\n',
    '\t',
    'a',
    'A',
    '1',
    '@',
    '.',
    '-',
    '_',
    '/',
    ':',
    ';',
    ',',
    '"',
    "'",
    '#',
    '=',
    '+',
    '%',
    '?',
    '&',
  ],
  ...['<', '[', '(', '{', '\\', '\u0007', '\u0301', '\u200d', '\u2028', '。', 'é', '😀'],
  ...[
    'a.',
    'a.b',
    'a.ab',
    'a@',
    'a ',
    '/a',
    '/1',
    '1-',
    'a, ',
    '""',
    '{a',
    '<a',
    '\n a',
    'a1',
    '://',
    'http://a.',
    'www.',
  ],
];
/** How a text ends: with something that makes a pattern fail only there. */
const ENDS = ['', '!', 'a\u2028b', '1', 'a', '@'];

/** Texts of this length on which a pattern takes long whose time grows with the square of the length. */
export const longTexts = (length: number): string[] =>
  UNITS.flatMap((unit) => ENDS.map((end) => unit.repeat(Math.ceil(length / unit.length)) + end));

/**
 * The least processor time of `work` in up to three tries, in milliseconds; a try below `limit` ends them. Time of the
 * thread, so that a busy machine makes no pattern slow.
 */
export function leastMs(work: () => unknown, limit: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least >= limit; tries += 1) {
    const began = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(began);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
