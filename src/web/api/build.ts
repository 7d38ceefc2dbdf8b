import { BUILD_HEADER } from '../../contract/site.ts';
import { site } from './site.ts';

let served: string | null = null;
let writes = 0;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Wraps every request to our own server, because each response names the server's build of the web app. */
export async function watched(method: string, answer: Promise<Response>): Promise<Response> {
  const isWrite = method !== 'GET';
  if (isWrite) writes += 1;
  try {
    const response = await answer;
    const build = response.headers.get(BUILD_HEADER);
    // In development, neither side has a build name.
    if (build && site.build && build !== (served ?? site.build)) {
      served = build;
      tell();
    }
    return response;
  } finally {
    if (isWrite) writes -= 1;
    if (isWrite && writes === 0) tell();
  }
}

/** The builds named by responses so far. */
export const buildStore = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  /** The server's build, if it differs from this page's; null otherwise. */
  other: () => (served === site.build ? null : served),
  /** Whether a write is in flight. */
  isWriting: () => writes > 0,
};
