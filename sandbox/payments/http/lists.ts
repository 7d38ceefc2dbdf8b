import { invalid } from './errors.ts';
import type { List } from './wire.ts';

interface Paging {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
}

/**
 * Returns one page of a list, newest first. `all` is in the order of creation.
 * Throws 400 for a limit outside 1 to 100 and for a cursor that is not in the list.
 */
export function page<T extends { id: string }>(all: T[], paging: Paging, url: string): List<T> {
  const limit = paging.limit ?? 10;
  if (limit < 1 || limit > 100)
    throw invalid('Invalid limit: must be between 1 and 100', 'limit', 'parameter_invalid_integer');
  if (paging.starting_after && paging.ending_before)
    throw invalid('You may only specify one of these parameters: ending_before, starting_after.');
  const newest = all.toReversed();
  const indexOf = (id: string, param: string) => {
    const index = newest.findIndex((entry) => entry.id === id);
    if (index < 0) throw invalid(`No such object: '${id}'`, param, 'resource_missing');
    return index;
  };
  if (paging.ending_before) {
    const end = indexOf(paging.ending_before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: newest.slice(start, end), has_more: start > 0, url };
  }
  const start = paging.starting_after ? indexOf(paging.starting_after, 'starting_after') + 1 : 0;
  return {
    object: 'list',
    data: newest.slice(start, start + limit),
    has_more: newest.length > start + limit,
    url,
  };
}

/** A whole list in its own order, to embed in another object. */
export function whole<T>(data: T[], url: string): List<T> {
  return { object: 'list', data, has_more: false, url };
}
