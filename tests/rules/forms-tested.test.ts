import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Dialogs without anything to submit. */
const NOTHING_TO_SUBMIT = ['staff/offline-queue/queue-notice', 'staff/shell/shortcut-sheet'];

const ASKER = /<(form|FormDialog|Dialog|AlertDialog|ActDialog)\b/g;
const COMPONENT = /^(?:export )?(?:default )?function ([A-Z]\w*)/gm;

/** The number of forms, questions and dialogs without forms in each component of a file. */
function askersIn(source: string): Map<string, number> {
  const components = [...source.matchAll(COMPONENT)];
  const found = new Map<string, string[]>();
  for (const { index, 1: kind = '' } of source.matchAll(ASKER)) {
    const component = components.findLast((it) => it.index < index)?.[1] ?? '';
    found.set(component, [...(found.get(component) ?? []), kind]);
  }
  const count = (kinds: string[], kind: string) => kinds.filter((it) => it === kind).length;
  return new Map(
    [...found].map(([component, kinds]) => {
      const forms = count(kinds, 'form') + count(kinds, 'FormDialog');
      return [
        component,
        forms +
          count(kinds, 'AlertDialog') +
          count(kinds, 'ActDialog') +
          (forms ? 0 : count(kinds, 'Dialog')),
      ];
    }),
  );
}

/** A form is named after its file; if a file has several, also after its component. */
function formsIn(path: string, source: string): string[] {
  const name = path.replace(/\.tsx$/, '');
  const askers = askersIn(source);
  return [...askers].flatMap(([component, times]) =>
    Array.from({ length: times }, () => (askers.size === 1 ? name : `${name}#${component}`)),
  );
}

const forms = globSync('src/web/**/*.tsx')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.startsWith('src/web/ui/'))
  .flatMap((path) => formsIn(path.replace('src/web/', ''), readFileSync(path, 'utf8')))
  .filter((name) => !NOTHING_TO_SUBMIT.includes(name))
  .sort();

const tested = globSync('tests/e2e/**/*.spec.ts')
  .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/'@form:([^']+)'/g)])
  .map(([, name = '']) => name)
  .sort();

test('every form, and every dialog that submits, has a browser test that uses it as it first stands', () => {
  expect(tested).toEqual(forms);
});

test('a form is found in a page, in a dialog once, and beside another in the same file', () => {
  const source = `
export function Page() { return <form>..</form>; }
function Question() { return <><AlertDialog open /><AlertDialog open /></>; }
function Named() { return <Dialog><form /></Dialog>; }`;
  expect(formsIn('a/b.tsx', source)).toEqual(['a/b#Page', 'a/b#Question', 'a/b#Question', 'a/b#Named']);
  expect(formsIn('c.tsx', 'function One() { return <Dialog />; }')).toEqual(['c']);
});
