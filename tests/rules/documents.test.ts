import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const TOP_FOLDERS = ['src', 'tests', 'scripts', 'sandbox', 'bench', 'torture', 'docs', 'ops', '.ci'];

const find = (...patterns: string[]) =>
  globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const documents = find('*.md', `{${TOP_FOLDERS.join(',')}}/**/*.md`);
const paths = find('*', `{${TOP_FOLDERS.join(',')}}/**`).map((path) => `/${path}`);

/** Files named in documents but not in the repository. */
const ELSEWHERE = ['secrets.json', 'index.html', 'sbom.json'];

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '');

const PATH = new RegExp(
  `^(?:(?:${TOP_FOLDERS.map((it) => it.replace('.', '\\.')).join('|')})/[\\w./$*-]*` +
    '|[\\w.$-][\\w./$-]*\\.(?:ts|tsx|mjs|md|sql|grit|json|css|html|test|spec)' +
    '|(?:[a-z][\\w-]*/)+)$',
);

/** The paths that a document names in backticks, alone or within a command. */
function pathsIn(text: string): string[] {
  const blocks = withoutFences(text).split(/\n\s*\n/);
  const code = blocks.flatMap((block) => [...block.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span));
  const words = code.flatMap((span) => span.split(/\s+/));
  return [...new Set(words.filter((word) => PATH.test(word) && !/^(\.\/|[A-Z_]+\/)/.test(word)))];
}

/**
 * Whether a path exists: from the root, from the document's folder, from src/server, or as the end of a longer path.
 * `webhook.test` is short for the test file.
 */
function exists(path: string, document: string): boolean {
  if (ELSEWHERE.includes(path)) return true;
  if (path.includes('*')) return find(path).length > 0;
  const clean = path.replace(/\/$/, '');
  if (['.', dirname(document), 'src/server'].some((from) => existsSync(join(root, from, clean)))) return true;
  const endings = /\.(test|spec)$/.test(clean) ? [`/${clean}.ts`, `/${clean}.tsx`] : [`/${clean}`];
  return paths.some((it) => endings.some((ending) => it.endsWith(ending)));
}

const headingsOf = (file: string) =>
  [...withoutFences(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.trim());

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Broken relative links of a document, including links to headings. */
function brokenLinks(document: string): string[] {
  const links = [...withoutFences(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !headingsOf(target).map(anchorOf).includes(anchor);
    });
}

/** Broken references such as docs/rules/membership.md, "Dashboard", including those wrapped over two lines of a comment. */
function brokenSections(text: string): string[] {
  const plain = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ');
  return [...plain.matchAll(/(docs\/[\w/-]+\.md)`?, "([^"]+)"/g)]
    .filter(([, file = '', title = '']) => !existsSync(join(root, file)) || !headingsOf(file).includes(title))
    .map(([, file, title]) => `${file}, "${title}"`);
}

/** The paths of a folder tree: one name a line, a level deeper with each indentation. */
function treePaths(tree: string): string[] {
  const open: { indent: number; name: string }[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? [];
    const continuesDescription = indent.length > 12;
    if (name === '' || continuesDescription) return [];
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    open.push({ indent: indent.length, name });
    return [open.map((it) => it.name).join('')];
  });
}

test('documents name only paths that exist', () => {
  expect(documents.length).toBeGreaterThan(10);
  const broken = documents.flatMap((document) =>
    pathsIn(read(document))
      .filter((path) => !exists(path, document))
      .map((path) => `${document}: ${path}`),
  );
  expect(broken.sort()).toEqual([]);
});

test('documents link only to files and headings that exist', () => {
  const broken = documents.flatMap((document) => brokenLinks(document).map((link) => `${document}: ${link}`));
  expect(broken.sort()).toEqual([]);
});

test('documents and comments refer only to sections that exist', () => {
  const sources = find(`{${TOP_FOLDERS.join(',')}}/**/*.{ts,tsx,sql,grit}`).filter(
    (file) => file !== 'tests/rules/documents.test.ts',
  );
  const broken = [...documents, ...sources].flatMap((file) =>
    brokenSections(read(file)).map((section) => `${file}: ${section}`),
  );
  expect(broken.sort()).toEqual([]);
});

test('the tree in CONTRIBUTING.md is the tree of the repository', () => {
  const [, tree = ''] = /^```\n((?:docs|src)\/[\s\S]*?)^```/m.exec(read('CONTRIBUTING.md')) ?? [];
  const named = treePaths(tree);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('CHANGELOG.md names each migration, by which servers are stopped before an upgrade', () => {
  const { entries } = JSON.parse(read('src/server/db/migrations/meta/_journal.json')) as {
    entries: { tag: string }[];
  };
  const changes = read('CHANGELOG.md');
  expect(entries.slice(1).filter(({ tag }) => !changes.includes(tag))).toEqual([]);
});
