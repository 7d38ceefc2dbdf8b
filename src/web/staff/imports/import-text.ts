import type { MemberImport } from '../../../contract/staff/imports.ts';

/** '1 member', '12,000 members' */
export const countOf = (n: number, noun: string): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? noun : `${noun}s`}`;

export function importResult(it: MemberImport): string {
  const rest = it.total_rows - it.imported_rows;
  if (it.status === 'undone') {
    return it.kept_rows > 0
      ? `Undone, except ${countOf(it.kept_rows, 'member')} with something new`
      : 'Undone';
  }
  return rest > 0
    ? `${countOf(it.imported_rows, 'member')}, ${countOf(rest, 'row')} not imported`
    : countOf(it.imported_rows, 'member');
}
