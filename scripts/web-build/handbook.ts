import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { HandbookGroup, HandbookPage } from 'virtual:handbook';
import { Marked, type Token, type Tokens } from 'marked';
import sharp from 'sharp';
import type { Plugin } from 'vite';

const FOLDER = resolve(import.meta.dirname, '../../docs/handbook');
const MODULE = 'virtual:handbook';
const IMAGE = /^images\/[\w-]+\.webp$/;

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The address at /help that a link within the handbook leads to. Throws for any other relative link. */
function addressOf(href: string): string {
  if (/^(https:|#)/.test(href)) return href;
  const [, page, hash = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  if (!page) throw new Error(`The handbook links to ${href}, which is not a page of it`);
  return page === 'README' ? '/help' : `/help/${page}${hash}`;
}

/** Width and height of every picture, so that a page does not move when one arrives. */
async function pictureSizes(): Promise<Map<string, { width: number; height: number }>> {
  const sizes = globSync('images/*.webp', { cwd: FOLDER }).map(async (path) => {
    const { width, height } = await sharp(join(FOLDER, path)).metadata();
    return [path, { width, height }] as const;
  });
  return new Map(await Promise.all(sizes));
}

/** Makes HTML of Markdown, and refuses HTML in it, as well as pictures and links that lead nowhere. */
function parserOf(sizes: Awaited<ReturnType<typeof pictureSizes>>): Marked {
  return new Marked({
    renderer: {
      html({ text }) {
        throw new Error(`The handbook is Markdown alone, without ${text}`);
      },
      heading({ tokens, depth, text }) {
        const anchor = anchorOf(text);
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${addressOf(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        const size = sizes.get(href);
        if (!IMAGE.test(href) || !size) throw new Error(`The handbook has no picture ${href}`);
        const { width, height } = size;
        return `<img src="${href}" alt="${text.replaceAll('"', '&quot;')}" width="${width}" height="${height}" loading="lazy"${height > width ? ' class="tall"' : ''}>`;
      },
    },
  });
}

/**
 * The pages of docs/handbook, grouped and ordered by its README.md. The sources of pictures are as written there. Throws if
 * a page is missing, or is on no list.
 */
export async function readHandbook(): Promise<HandbookGroup[]> {
  const parser = parserOf(await pictureSizes());
  const read = (slug: string) => readFileSync(join(FOLDER, `${slug}.md`), 'utf8');
  const pageOf = ({ tokens }: Tokens.ListItem): HandbookPage => {
    const words = tokens.flatMap((it: Token) => ('tokens' in it ? (it.tokens ?? []) : []));
    const link = words.find((it): it is Tokens.Link => it.type === 'link');
    const slug = /^([\w-]+)\.md$/.exec(link?.href ?? '')?.[1];
    if (!slug)
      throw new Error('Every line of a list in docs/handbook/README.md begins with a link to a page');
    const [title, ...content] = parser.lexer(read(slug));
    if (title?.type !== 'heading') throw new Error(`docs/handbook/${slug}.md does not begin with its title`);
    const paragraphs = words.filter((it) => it !== link).map(({ raw }) => raw);
    return {
      slug,
      title: title.text,
      detail: paragraphs.join('').replace(/^:\s*\w/, (it) => it.slice(-1).toUpperCase()),
      html: parser.parser(content),
    };
  };
  const groups: HandbookGroup[] = [];
  for (const token of parser.lexer(read('README'))) {
    if (token.type === 'heading' && token.depth === 2) groups.push({ title: token.text, pages: [] });
    else if (token.type === 'list') groups.at(-1)?.pages.push(...(token as Tokens.List).items.map(pageOf));
  }
  const names = groups.flatMap(({ pages }) => pages.map(({ slug }) => `${slug}.md`));
  const strays = readdirSync(FOLDER).filter(
    (it) => it.endsWith('.md') && ![...names, 'README.md'].includes(it),
  );
  if (strays.length > 0) throw new Error(`docs/handbook/README.md does not list ${strays.join(', ')}`);
  return groups;
}

/** The handbook as a module of the web app, with the built addresses of its pictures. */
export function handbook(): Plugin {
  return {
    name: 'cellar-door:handbook',
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : null),
    async load(id) {
      if (id !== `\0${MODULE}`) return null;
      for (const name of readdirSync(FOLDER)) this.addWatchFile(join(FOLDER, name));
      const imports: string[] = [];
      const content = JSON.stringify(await readHandbook()).replace(
        /src=\\"(images\/[\w-]+\.webp)\\"/g,
        (_, path: string) => {
          const name = `picture${imports.length}`;
          imports.push(`import ${name} from ${JSON.stringify(`${join(FOLDER, path)}?url`)};`);
          return `src=\\"" + ${name} + "\\"`;
        },
      );
      return `${imports.join('\n')}\nexport default ${content};`;
    },
  };
}
