import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const generated = /\/migrations\/|\/payments\/schema\//;
const files = globSync('{src,sandbox,scripts,tests,bench,torture}/**/*.{ts,tsx,mjs,css,sql}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !generated.test(file));

/** Words that need what stands before them, at the beginning of a comment, where nothing does. */
const DANGLING =
  /^(?:Of|By|Whose|Whom|Which|That|Who|For who|For whom|To who|To whom|It|Its|They|Them|Theirs|Those|One that)\b(?!-)/;
/** Words that read as translated. */
const ODD = /\b(?:told|whoever|somebody|anybody|anew|nobody's|of these)\b/i;

/** The comments on lines of their own, each as one text, with the line on which it begins. */
function commentsOf(source: string): { line: number; text: string }[] {
  const comments: { line: number; text: string }[] = [];
  let block = false;
  let lineComment = false;
  for (const [index, line] of source.split('\n').entries()) {
    const [, opening, rest = ''] = /^\s*(\{?\/\*\*?|\/\/|--)(?: |$)(.*)/.exec(line) ?? [];
    const last = comments.at(-1);
    if (block && last) last.text += ` ${line.replace(/^\s*\*(?!\/) ?/, '')}`;
    else if (lineComment && last && opening && !opening.includes('*')) last.text += ` ${rest}`;
    else if (opening) comments.push({ line: index + 1, text: rest });
    block = (block || Boolean(opening?.includes('*'))) && !line.includes('*/');
    lineComment = !block && (opening === '//' || opening === '--');
  }
  return comments.map(({ line, text }) => ({ line, text: text.replace(/\*\/.*$/, '').trim() }));
}

const found = (pattern: RegExp) =>
  files.flatMap((file) =>
    commentsOf(readFileSync(resolve(root, file), 'utf8'))
      .filter(({ text }) => pattern.test(text))
      .map(({ line, text }) => `${file}:${line} ${text}`),
  );

test('comments are found, each once and whole', () => {
  const source = [
    '// One',
    '// and more',
    'code();',
    '/** Two. */',
    '/**',
    ' * Three',
    ' * goes on.',
    ' */',
    '  {/* Four */}',
    '-- Five',
  ];
  expect(commentsOf(source.join('\n'))).toEqual([
    { line: 1, text: 'One and more' },
    { line: 4, text: 'Two.' },
    { line: 5, text: 'Three goes on.' },
    { line: 9, text: 'Four' },
    { line: 10, text: 'Five' },
  ]);
  expect(files.length).toBeGreaterThan(0);
});

test('no comment begins with a word whose subject is missing', () => {
  expect(DANGLING.test('Of the members, those who stay away.')).toBe(true);
  expect(DANGLING.test('By-products are fine.')).toBe(false);
  expect(found(DANGLING)).toEqual([]);
});

test('comments use the words of a native writer', () => {
  expect(ODD.test('Whoever asks is told.')).toBe(true);
  expect(found(ODD)).toEqual([]);
});
