import { expect, test } from 'vitest';
import { frameStyles } from '../../scripts/web-build/frame-styles.ts';

const HTML = '<main class="sm:p-7 px-[max(1rem,2px)]"><h1 class="title">Sign in</h1></main>';
const CSS = `
@layer theme, base, utilities;
@layer theme { :root { --ink: black; --deep: var(--ink); --unread: red } }
@layer base { h1, h2 { color: var(--deep) } button { color: blue } :focus-visible { outline: none } }
@layer utilities {
  .title { font-family: Title }
  .title:hover, .other { color: blue }
  .px-\\[max\\(1rem\\,2px\\)\\] { padding: 1px }
  :where(.absent > *) { margin: 1px }
  @media (width >= 40rem) { .sm\\:p-7 { padding: 7px } .sm\\:p-8 { padding: 8px } }
}
:root[data-theme='dark'] { --ink: white }
:root[data-theme='sepia'] { --ink: brown }
@font-face { font-family: Title; src: url(/title.woff2) }
@font-face { font-family: Title; src: local(Arial) }
@keyframes turn { to { rotate: 1turn } }
@media print { h1 { color: black } }
@property --ink { syntax: '*'; inherits: true }
@property --unread { syntax: '*'; inherits: true }
`;

const styles = frameStyles(CSS, HTML);

test('a frame includes the rules it is drawn with, in the same layers as the stylesheet', () => {
  expect(styles).toMatch(/^@layer theme\{:root\{--ink:[^;}]+;--deep:var\(--ink\)\}\}@layer base\{h1/);
  for (const kept of [
    '.title{',
    'padding:1px',
    'padding:7px',
    'local(Arial)',
    '@property --ink',
    'data-theme=dark',
  ]) {
    expect(styles, kept).toContain(kept);
  }
});

test.each([
  ['h2', 'h2'],
  ['what is pressed or typed into', 'button'],
  ['states of that', 'hover'],
  ['its outline', 'outline'],
  ['other classes', 'other'],
  ['inside of a function', 'absent'],
  ['within conditions', 'p-8'],
  ['colors that nobody can choose', 'sepia'],
  ['properties that nothing reads', '--unread'],
  ['fonts that are fetched', 'woff2'],
  ['animations', 'keyframes'],
  ['paper', 'print'],
])('and nothing else: %s', (_, text) => {
  expect(styles).not.toContain(text);
});
