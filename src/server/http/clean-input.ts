import { ORPCError } from '@orpc/server';

const NUL = 'Must not contain the NUL character';

interface Container {
  value: object;
  within: Container | null;
  key: string;
}

/**
 * Makes every text of a request valid for UTF-8 and Postgres, in place: lone surrogates become U+FFFD, as in any UTF-8
 * encoder. Throws BAD_REQUEST for a NUL, naming the field. Iterative, because a body can nest thousands deep.
 */
export function cleanInput(input: unknown): void {
  const stack: Container[] = [];
  const visit = (value: unknown, parent: Container | null, key: string) => {
    if (typeof value === 'object' && value !== null) stack.push({ value, within: parent, key });
  };
  visit(input, null, '');
  for (let next = stack.pop(); next; next = stack.pop()) {
    for (const [key, value] of Object.entries(next.value)) {
      if (typeof value !== 'string') visit(value, next, key);
      else if (value.includes('\0')) throw nulIn(next, key);
      else if (!value.isWellFormed()) Object.assign(next.value, { [key]: value.toWellFormed() });
    }
  }
}

function nulIn(container: Container, key: string) {
  const path: (string | number)[] = [];
  let name = key;
  for (let at: Container | null = container; at; at = at.within) {
    path.push(Array.isArray(at.value) ? Number(name) : name);
    name = at.key;
  }
  path.reverse();
  return new ORPCError('BAD_REQUEST', { message: NUL, data: { issues: [{ path, message: NUL }] } });
}
