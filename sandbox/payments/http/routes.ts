import type { World } from '../store/world.ts';
import type { RawObject } from './form.ts';
import { refuseUnknown } from './known-params.ts';
import {
  clearable,
  listOf,
  type Params,
  paging,
  readParams,
  type Shape,
  text,
  type ValueOf,
} from './params.ts';
import { page } from './wire.ts';

export interface Call<P> {
  world: World;
  params: P;
  /** The id in the path; '' without one. */
  id: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  parts: string[];
  shape: Shape;
  /** Reads the parameters and returns the call to run, so that a refused parameter leaves no idempotency record. */
  prepare(world: World, id: string, raw: RawObject): { expand: string[]; run: () => object };
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
    prepare(world, id, raw) {
      refuseUnknown(key, raw);
      const { expand, ...rest } = raw;
      const input = readParams(expandable, expand === undefined ? {} : { expand });
      const params = readParams(shape, rest);
      return {
        expand: (input.expand ?? []).filter((path) => path !== null),
        run: () => run({ world, params, id }),
      };
    },
  };
}

/** Tests for the parameters that are more than an equal field: whether an object fits the value. */
type Fits<T, S extends Shape> = { [K in keyof S]?: (object: T, value: ValueOf<S[K]>) => boolean };

/**
 * Declares the route of a list. Each parameter must equal the object's field of that name, unless `fits` has its own test
 * for it.
 */
export function list<T extends { id: string }, S extends Shape>(
  path: string,
  table: (state: World['state']) => Record<string, T>,
  filters: S,
  fits: Fits<T, S> = {},
): Route {
  const fitsOne = (object: T, name: string, value: unknown) => {
    const filter = fits[name];
    if (filter) return filter(object, value as never);
    return value === object[name as keyof T];
  };
  return route('GET', path, { ...paging, ...filters }, ({ world, params }) => {
    const { limit, starting_after, ending_before, ...wanted } = params as Params<typeof paging>;
    const objects = Object.values(table(world.state)).filter((object) =>
      Object.entries(wanted).every(([name, value]) => fitsOne(object, name, value)),
    );
    return page(objects, { limit, starting_after, ending_before }, path);
  });
}

/** A route as the schema of requests names it: "POST /v1/customers/:id". */
export function routeKey({ method, parts }: Pick<Route, 'method' | 'parts'>): string {
  return `${method} /${parts.map((part) => (part.startsWith(':') ? ':id' : part)).join('/')}`;
}

/** The route for a path and the id in it; null without one. */
export function match(routes: Route[], method: string, path: string): { route: Route; id: string } | null {
  const segments = path.split('/').filter(Boolean).map(decoded);
  const route = routes.find(
    ({ method: verb, parts }) =>
      verb === method &&
      parts.length === segments.length &&
      parts.every((part, at) => part.startsWith(':') || part === segments[at]),
  );
  return route ? { route, id: segments.find((_, at) => route.parts[at]?.startsWith(':')) ?? '' } : null;
}

/** Returns a badly encoded part unchanged; no object has such an id. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
