export type Raw = string | RawObject;
export interface RawObject {
  [key: string]: Raw;
}

const DEPTH = 8;

/**
 * Reads a form-encoded body or query with bracket nesting: `items[0][price]=x`, `expand[]=y`.
 * A list becomes an object keyed by index, which the reader of the list sorts. The last value of a repeated key wins.
 * Objects have no prototype, so that no name is special.
 */
export function parseForm(text: string): RawObject {
  const root: RawObject = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) place(root, pathOf(key), value);
  return root;
}

function pathOf(key: string): string[] {
  const bracket = key.indexOf('[');
  if (bracket <= 0 || !key.endsWith(']')) return [key];
  return [key.slice(0, bracket), ...key.slice(bracket + 1, -1).split('][')].slice(0, DEPTH);
}

function place(root: RawObject, path: string[], value: string): void {
  let at = root;
  for (const [depth, part] of path.entries()) {
    const name = part === '' ? String(Object.keys(at).length) : part;
    if (depth === path.length - 1) {
      at[name] = value;
      return;
    }
    const next = at[name];
    if (typeof next === 'object') at = next;
    else {
      const child: RawObject = Object.create(null);
      at[name] = child;
      at = child;
    }
  }
}
