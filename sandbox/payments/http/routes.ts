import type { World } from '../store/world.ts';
import type { RawObject } from './form.ts';
import { refuseUnknown } from './known-params.ts';
import { clearable, listOf, type Params, readParams, type Shape, text } from './params.ts';

export interface Call<P> {
  world: World;
  params: P;
  /** The first and the second id in the path. */
  id: string;
  second: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  parts: string[];
  /** The parameters that the sandbox supports. */
  shape: Shape;
  /** Reads the parameters and returns the call to run, so that a refused parameter leaves no idempotency record. */
  prepare(world: World, ids: string[], raw: RawObject): { expand: string[]; run: () => object };
}

const expandable = { expand: listOf(clearable(text)) };

/** Declares a route: its method, path (`:id` for an id), parameters and handler. */
export function route<S extends Shape>(
  method: Route['method'],
  path: string,
  shape: S,
  run: (call: Call<Params<S>>) => object,
): Route {
  const parts = path.split('/').filter(Boolean);
  const key = routeKey({ method, parts });
  return {
    method,
    parts,
    shape,
    prepare(world, ids, raw) {
      refuseUnknown(key, raw);
      const { expand, ...rest } = raw;
      const read = readParams(expandable, expand === undefined ? {} : { expand });
      const params = readParams(shape, rest);
      return {
        expand: (read.expand ?? []).filter((path) => path !== null),
        run: () => run({ world, params, id: ids[0] ?? '', second: ids[1] ?? '' }),
      };
    },
  };
}

/** A route as the schema of requests names it: "POST /v1/customers/:id". */
export function routeKey({ method, parts }: Pick<Route, 'method' | 'parts'>): string {
  return `${method} /${parts.map((part) => (part.startsWith(':') ? ':id' : part)).join('/')}`;
}

/** Finds the route for a path and the ids in it. Fixed words win over ids. */
export function match(routes: Route[], method: string, path: string): { route: Route; ids: string[] } | null {
  const parts = path.split('/').filter(Boolean).map(decoded);
  let found: { route: Route; ids: string[] } | null = null;
  for (const candidate of routes) {
    if (candidate.method !== method || candidate.parts.length !== parts.length) continue;
    if (!candidate.parts.every((part, at) => part.startsWith(':') || part === parts[at])) continue;
    const ids = parts.filter((_, at) => candidate.parts[at]?.startsWith(':'));
    if (!found || ids.length < found.ids.length) found = { route: candidate, ids };
  }
  return found;
}

/** Returns a badly encoded part unchanged; no object has such an id. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
