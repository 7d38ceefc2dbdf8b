import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const APP = join(import.meta.dirname, '../../src/web/app');

type Side = 'member' | 'staff' | 'visitor';

export interface BuiltPage {
  path: string;
  side: Side;
  /** The file that its route loads; null for a page that only leads elsewhere. */
  file: string | null;
}

/**
 * The pages of src/web/app/pages.ts, and the files of the layouts. Node.js itself loads that table, because the bundle of
 * vite.config.ts would include all pages with it.
 */
export async function readPages(): Promise<{
  pages: BuiltPage[];
  layouts: Record<'member' | 'staff', string>;
}> {
  const table: typeof import('../../src/web/app/pages.ts') = await import(
    pathToFileURL(join(APP, 'pages.ts')).href
  );
  const pages = Object.entries(table.PAGES).map(([path, page]) => ({
    path,
    side: page.side,
    file: 'load' in page ? fileOf(page.load) : null,
  }));
  const { member, staff } = table.LAYOUTS;
  return { pages, layouts: { member: fileOf(member), staff: fileOf(staff) } };
}

/** The file that a function of the table imports, read from its code. */
function fileOf(load: () => unknown): string {
  const path = /import\('(.+?)'\)/.exec(String(load))?.[1];
  if (!path) throw new Error(`No import in ${load}`);
  return join(APP, path);
}
