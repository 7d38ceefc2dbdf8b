import type { Plugin, Rolldown } from 'vite';

/** The chunks that pages share. Each module goes into the first that fits it. */
const SHARED = ['shell', 'app', 'parts', 'signed-in', 'member', 'staff', 'visitor'] as const;
type Shared = (typeof SHARED)[number];
type Side = 'member' | 'staff' | 'visitor';

interface Graph {
  ids: Iterable<string>;
  /** What a module imports statically, by id. */
  importsOf(id: string): readonly string[];
  /** Bytes of its source. */
  sizeOf(id: string): number;
  /** Modules named in the document. */
  entries: readonly string[];
}

/** The code of a page or layout, which its route loads: `src/web/routes/login.lazy.tsx`. */
const PAGE = /\/src\/web\/routes\/(.+)\.lazy\.tsx$/;

/** Pages opened by a link or a code. Unlike other visitor pages, they use the API client of members' pages. */
const BY_LINK = /^(bar|guest|invitation|join|redeem|share)\b/;

const sideOf = (route: string): Side =>
  route.startsWith('_member') || BY_LINK.test(route)
    ? 'member'
    : route.startsWith('_staff')
      ? 'staff'
      : 'visitor';

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
export function sharedChunks({ ids, importsOf, sizeOf, entries }: Graph): Map<string, Shared> {
  const reach = (from: readonly string[]) => {
    const found = new Set<string>();
    const left = [...from];
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      left.push(...importsOf(id));
    }
    return found;
  };
  const all = [...ids];
  const initial = reach(entries);
  const pagesOf = new Map<string, string[]>();
  for (const page of all) {
    const route = PAGE.exec(page)?.[1];
    if (!route) continue;
    for (const id of reach([page])) {
      if (!initial.has(id)) pagesOf.set(id, [...(pagesOf.get(id) ?? []), route]);
    }
  }
  const sharedBy = new Map<string, number>();
  for (const [id, pages] of pagesOf) {
    const set = pages.toSorted().join();
    sharedBy.set(set, (sharedBy.get(set) ?? 0) + sizeOf(id));
  }
  const chunks = new Map<string, Shared>();
  for (const id of initial) {
    if (!entries.includes(id)) chunks.set(id, isLibrary(id) ? 'shell' : 'app');
  }
  for (const [id, pages] of pagesOf) {
    const bytes = sharedBy.get(pages.toSorted().join()) ?? 0;
    if (pages.length < 2 || (pages.length <= FEW_PAGES && bytes >= OWN_CHUNK_BYTES)) continue;
    chunks.set(id, chunkOf(pages, bytes));
  }
  return chunks;
}

const isLibrary = (id: string) => id.includes('/node_modules/');

function chunkOf(pages: string[], bytes: number): Shared {
  const sides = pages.map(sideOf);
  const [only = 'visitor', another] = new Set(sides);
  if (!another) return only;
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
    buildEnd() {
      const ids = [...this.getModuleIds()];
      // Read once for each module: the bundler builds a new object at each call, with a copy of the module's code.
      const modules = new Map(
        ids.map((id) => {
          const info = this.getModuleInfo(id);
          return [id, { imports: info?.importedIds ?? [], size: info?.code?.length ?? 0 }];
        }),
      );
      chunks = sharedChunks({
        ids,
        importsOf: (id) => modules.get(id)?.imports ?? [],
        sizeOf: (id) => modules.get(id)?.size ?? 0,
        entries: ids.filter((id) => id.endsWith('/src/web/index.html')),
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
