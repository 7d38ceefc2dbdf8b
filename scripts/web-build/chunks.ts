import type { Plugin, Rolldown } from 'vite';
import { readPages } from './pages.ts';

/** The chunks that pages share. Each module goes into the first that fits it. */
const SHARED = ['shell', 'app', 'parts', 'signed-in', 'member', 'staff', 'visitor'] as const;
type Shared = (typeof SHARED)[number];
type Side = 'member' | 'staff' | 'visitor';

interface Graph {
  /** What a module imports statically, by id. */
  importsOf(id: string): readonly string[];
  /** Bytes of its source. */
  sizeOf(id: string): number;
  /** Modules named in the document. */
  entries: readonly string[];
  /** The modules of pages and layouts, which routes load, with the side whose chunks they share. */
  pages: ReadonlyMap<string, Side>;
}

/** Pages opened by a link or a code. Unlike other visitor pages, they use the API client of members' pages. */
const BY_LINK = /^\/(bar|guest|invitation|join|redeem|share)$/;

/**
 * Code of this many bytes that at most `FEW_PAGES` pages share gets its own chunk; less is not worth another request. Code
 * of this size that users' pages share with as few visitor pages goes to the users' chunks, so that other visitor pages do
 * not load it.
 */
const OWN_CHUNK_BYTES = 8_000;
const FEW_PAGES = 4;

/**
 * The shared chunk of each module, by its importers: libraries that every page starts with (shell), our code that every
 * page starts with (app), code shared by most pages of visitors and users (parts), by members and staff (signed-in), or
 * within one side. A module of one page stays with its page; large code that few pages share stays separate. The bundler
 * alone would split modules by the set of importing pages: some thirty files of a kilobyte for each page.
 */
export function sharedChunks({ importsOf, sizeOf, entries, pages }: Graph): Map<string, Shared> {
  const reach = (from: readonly string[]) => {
    const ids = new Set<string>();
    const queue = [...from];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (ids.has(id)) continue;
      ids.add(id);
      queue.push(...importsOf(id));
    }
    return ids;
  };
  const initial = reach(entries);
  const pagesOf = new Map<string, string[]>();
  for (const page of pages.keys()) {
    for (const id of reach([page])) {
      if (!initial.has(id)) pagesOf.set(id, [...(pagesOf.get(id) ?? []), page]);
    }
  }
  const sharedBy = new Map<string, number>();
  for (const [id, users] of pagesOf) {
    const set = users.toSorted().join();
    sharedBy.set(set, (sharedBy.get(set) ?? 0) + sizeOf(id));
  }
  const chunks = new Map<string, Shared>();
  for (const id of initial) {
    if (!entries.includes(id)) chunks.set(id, isLibrary(id) ? 'shell' : 'app');
  }
  for (const [id, users] of pagesOf) {
    const bytes = sharedBy.get(users.toSorted().join()) ?? 0;
    if (users.length < 2 || (users.length <= FEW_PAGES && bytes >= OWN_CHUNK_BYTES)) continue;
    const sides = users.map((page) => pages.get(page) ?? 'visitor');
    chunks.set(id, chunkOf(sides, bytes));
  }
  return chunks;
}

const isLibrary = (id: string) => id.includes('/node_modules/');

function chunkOf(sides: Side[], bytes: number): Shared {
  const [side = 'visitor', another] = new Set(sides);
  if (!another) return side;
  const visitors = sides.filter((side) => side === 'visitor').length;
  const forUsers = visitors === 0 || (visitors <= FEW_PAGES && bytes >= OWN_CHUNK_BYTES);
  return forUsers ? 'signed-in' : 'parts';
}

/**
 * Splits the app into the chunks of `sharedChunks` and one for each page. `groups` belongs in the output's
 * codeSplitting.
 */
export function pageChunks(): { plugin: Plugin; groups: Rolldown.CodeSplittingGroup[] } {
  let chunks = new Map<string, Shared>();
  const plugin: Plugin = {
    name: 'cellar-door:page-chunks',
    apply: 'build',
    async buildEnd() {
      const { pages, layouts } = await readPages();
      const sideOf = new Map<string, Side>([
        [layouts.member, 'member'],
        [layouts.staff, 'staff'],
      ]);
      for (const { path, side, file } of pages) {
        if (file) sideOf.set(file, BY_LINK.test(path) ? 'member' : side);
      }
      const ids = [...this.getModuleIds()];
      // Read once for each module: the bundler builds a new object at each call, with a copy of the module's code.
      const modules = new Map(
        ids.map((id) => {
          const info = this.getModuleInfo(id);
          return [id, { imports: info?.importedIds ?? [], size: info?.code?.length ?? 0 }];
        }),
      );
      chunks = sharedChunks({
        importsOf: (id) => modules.get(id)?.imports ?? [],
        sizeOf: (id) => modules.get(id)?.size ?? 0,
        entries: ids.filter((id) => id.endsWith('/src/web/index.html')),
        pages: sideOf,
      });
    },
  };
  const groups = SHARED.map((name, index) => ({
    name,
    test: (id: string) => chunks.get(id) === name,
    priority: SHARED.length - index,
  }));
  return { plugin, groups };
}
