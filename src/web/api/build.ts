import { BUILD_HEADER } from '../../contract/site.ts';
import { assertFromServer } from './in-time.ts';
import { withReach } from './online.ts';
import { noteServerTime } from './server-clock.ts';
import { site } from './site.ts';
import { createStore } from './store.ts';

const served = createStore<string | null>(null);

export const writesInFlight = createStore(0);

/** Wraps every call of our own server, whose responses name its build of the web app, and its time. Throws TypeError for another's page. */
export async function watched(method: string, answer: Promise<Response>): Promise<Response> {
  const isWrite = method !== 'GET';
  if (isWrite) writesInFlight.set(writesInFlight.get() + 1);
  try {
    const response = await withReach(answer.then(assertFromServer));
    noteServerTime(response.headers.get('date'));
    const build = response.headers.get(BUILD_HEADER);
    // In development, neither side has a build name.
    if (build && site.build && build !== (served.get() ?? site.build)) served.set(build);
    return response;
  } finally {
    if (isWrite) writesInFlight.set(writesInFlight.get() - 1);
  }
}

export const buildStore = {
  subscribe: served.subscribe,
  /** The server's build, if it differs from this page's; null otherwise. */
  other: () => (served.get() === site.build ? null : served.get()),
};
