import { type Selector, type SelectorComponent, transform } from 'lightningcss';
import { DOCUMENT_THEMES } from '../../src/contract/site.ts';

/** What a selector can match in HTML. */
interface Names {
  tags: Set<string>;
  classes: Set<string>;
  /** As `name="value"`, without the classes. */
  attributes: Set<string>;
}

function namesIn(html: string): Names {
  const tags = new Set([
    'html',
    'body',
    ...[...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag = '']) => tag),
  ]);
  const classes = new Set(
    [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, list = '']) => list.split(/\s+/)),
  );
  const attributes = new Set([
    ...DOCUMENT_THEMES.map((theme) => `data-theme="${theme}"`),
    ...[...html.matchAll(/ (data-[\w-]+="[^"]*")/g)].map(([, text = '']) => text),
  ]);
  return { tags, classes, attributes };
}

/** States that only elements have which can be pressed or typed into. */
const NEVER = new Set(['hover', 'active', 'focus', 'focus-visible', 'focus-within', 'disabled', 'checked']);

function canMatch(selector: Selector, names: Names): boolean {
  return selector.every((part: SelectorComponent) => {
    if (part.type === 'class') return names.classes.has(part.name);
    if (part.type === 'type') return names.tags.has(part.name);
    if (part.type === 'pseudo-class' && (part.kind === 'is' || part.kind === 'where')) {
      return part.selectors.some((it) => canMatch(it, names));
    }
    if (part.type === 'pseudo-class') return !NEVER.has(part.kind);
    if (part.type === 'pseudo-element')
      return part.kind === 'before' || part.kind === 'after' || part.kind === 'backdrop';
    if (part.type === 'attribute') {
      return (
        part.operation?.operator === 'equal' && names.attributes.has(`${part.name}="${part.operation.value}"`)
      );
    }
    return part.type !== 'id';
  });
}

/** Names of the custom properties that the rest of a stylesheet uses, directly or through others. */
function readProperties(css: string): Set<string> {
  const definitions = new Map<string, string[]>();
  for (const [, name = '', value = ''] of css.matchAll(/(--[\w-]+):([^;{}]*)/g)) {
    definitions.set(name, [...(definitions.get(name) ?? []), value]);
  }
  const found = new Set<string>();
  const left = [css.replaceAll(/--[\w-]+:[^;{}]*/g, '')];
  for (let text = left.pop(); text !== undefined; text = left.pop()) {
    for (const [, name = ''] of text.matchAll(/var\((--[\w-]+)/g)) {
      if (found.has(name)) continue;
      found.add(name);
      left.push(...(definitions.get(name) ?? []));
    }
  }
  return found;
}

/**
 * The rules of a stylesheet that this HTML uses, minified: so little that the document can include it, and the first
 * paint waits for nothing else.
 */
export function frameStyles(css: string, html: string): string {
  const names = namesIn(html);
  const run = (code: string, visitor: Parameters<typeof transform>[0]['visitor']) =>
    transform({
      filename: 'frame.css',
      code: Buffer.from(code),
      minify: true,
      ...(visitor && { visitor }),
    }).code.toString();
  const drawn = run(css, {
    Selector: (selector) => (canMatch(selector, names) ? undefined : []),
    Rule: {
      style: (rule) => (rule.value.selectors.some((it) => canMatch(it, names)) ? undefined : []),
      keyframes: () => [],
      media: (rule) =>
        rule.value.query.mediaQueries.every(({ mediaType }) => mediaType === 'print') ? [] : undefined,
      // Fetched fonts arrive after the stylesheet anyway, and named twice they would be drawn twice.
      'font-face': (rule) =>
        rule.value.properties.some(
          (it) => it.type === 'source' && it.value.some((source) => source.type === 'url'),
        )
          ? []
          : undefined,
    },
  });
  const read = readProperties(drawn);
  return run(drawn, {
    Rule: { property: (rule) => (read.has(rule.value.name) ? undefined : []) },
    Declaration: {
      custom: (property) => (property.name.startsWith('--') && !read.has(property.name) ? [] : undefined),
    },
  });
}
