import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  LazyRoute,
  type ResolveFullPath,
  type ResolveId,
  type Route,
  type RouteComponent,
} from '@tanstack/react-router';
import { LAYOUTS, PAGES, type PagePath, type PageRow } from './pages.ts';
import { Root } from './root.tsx';
import { guardOf, requireMember, requireStaff } from './route-guards.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    permissions?: PageRow['permissions'];
  }
}

type Load = () => Promise<{ default: RouteComponent }>;
const rows: Record<PagePath, PageRow & { load?: Load }> = PAGES;

type Row<Path extends PagePath> = (typeof PAGES)[Path];
type SearchOf<Path extends PagePath> = Row<Path> extends { search: infer Search } ? Search : undefined;
/** The types by which a link's address, parameters and search are checked. */
type PageRoute<Parent extends AnyRoute, Path extends PagePath, End extends string = Path> = Route<
  unknown,
  Parent,
  End,
  ResolveFullPath<Parent, End>,
  string,
  ResolveId<Parent, string, End>,
  SearchOf<Path>
>;

/** The pages of a side, without those that open beside another page. */
type PathOf<Side> = {
  [Path in PagePath]: Row<Path> extends { within: string }
    ? never
    : Row<Path> extends { side: Side }
      ? Path
      : never;
}[PagePath];

const lazily = <Loaded extends AnyRoute>(route: Loaded, load: Load): Loaded => {
  route.lazy(async () => new LazyRoute({ id: route.id, component: (await load()).default }));
  return route;
};

/** The route of a page, whose path ends with `end` after its parent's. */
function pageRoute<Parent extends AnyRoute, Path extends PagePath, End extends string>(
  parent: Parent,
  page: Path,
  end: End,
): PageRoute<Parent, Path, End> {
  const { load, permissions, search } = rows[page];
  const route: AnyRoute = createRoute({
    getParentRoute: (): AnyRoute => parent,
    path: end as string,
    validateSearch: search,
    beforeLoad: guardOf(page),
    staticData: { permissions },
    // Another member, application or gift gets a new page.
    remountDeps: ({ params }) => params,
  });
  return (load ? lazily(route, load) : route) as PageRoute<Parent, Path, End>;
}

function pageRoutes<Parent extends AnyRoute, Side extends PageRow['side']>(parent: Parent, side: Side) {
  const paths = (Object.keys(PAGES) as PagePath[]).filter((it) => rows[it].side === side && !rows[it].within);
  return Object.fromEntries(paths.map((path) => [path, pageRoute(parent, path, path)])) as unknown as {
    [Path in PathOf<Side>]: PageRoute<Parent, Path>;
  };
}

const root = createRootRoute({ component: Root });
const member = createRoute({ getParentRoute: () => root, id: '_member', beforeLoad: requireMember });
const staff = createRoute({ getParentRoute: () => root, id: '_staff', beforeLoad: requireStaff });
const ofStaff = pageRoutes(staff, 'staff');
const members = ofStaff['/staff/members'];

export const routeTree = root.addChildren({
  ...pageRoutes(root, 'visitor'),
  member: lazily(member, LAYOUTS.member).addChildren(pageRoutes(member, 'member')),
  staff: lazily(staff, LAYOUTS.staff).addChildren({
    ...ofStaff,
    '/staff/members': members.addChildren([pageRoute(members, '/staff/members/$id', '/$id')]),
  }),
});
