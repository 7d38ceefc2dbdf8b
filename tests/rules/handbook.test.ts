import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readHandbook } from '../../scripts/web-build/handbook.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = globSync('docs/handbook/*.md', { cwd: root }).sort();
const screens = globSync('src/{web,domain,contract}/**/*.{ts,tsx}', { cwd: root }).map(read);

const boldIn = (text: string) => [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label);

/** Whether a screen has that text as a whole label: between quotes or tags, or on lines of its own. */
function isOnScreen(label: string): boolean {
  const words = label.split(/\s+/).map((it) => it.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const whole = new RegExp(String.raw`(?:['"\`>}]|\n)\s*${words.join(String.raw`\s+`)}\s*(?:['"\`<{]|\n)`);
  return screens.some((screen) => whole.test(screen));
}

test('every label in bold is on a screen of the app, word for word', () => {
  expect(files.length).toBeGreaterThan(1);
  const old = files.flatMap((file) =>
    [...new Set(boldIn(read(file)))]
      .filter((label) => !isOnScreen(label))
      .map((label) => `${file}: ${label}`),
  );
  expect(old).toEqual([]);
  expect(isOnScreen('Pour the Wine Away')).toBe(false);
});

test('the page for the bar is short enough to hang behind it', () => {
  expect(read('docs/handbook/behind-the-bar.md').split(/\s+/).length).toBeLessThan(350);
});

test('links lead to headings of the built pages, and every heading of a page has its own', async () => {
  const pages = (await readHandbook()).flatMap((group) => group.pages);
  const anchors = new Map(
    pages.map(({ slug, html }) => [slug, [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
  );
  for (const [slug, ids] of anchors) expect(new Set(ids).size, slug).toBe(ids.length);
  const broken = pages.flatMap(({ slug, html }) =>
    [...html.matchAll(/href="(?:\/help\/([\w-]+))?#([^"]+)"/g)]
      .filter(([, page = slug, anchor]) => !anchors.get(page)?.includes(anchor))
      .map(([link]) => `${slug}: ${link}`),
  );
  expect(broken).toEqual([]);
});
