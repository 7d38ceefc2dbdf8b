/** A planned failure: what the next matching requests get instead of a response. */
export interface Fault {
  /** How the path must start, such as `/v1/subscriptions`. */
  path: string;
  method: string | null;
  times: number;
  /** `status`: an error. `drop`: closes the connection. `timeout`: the same after `ms`. `slow`: responds after `ms`. */
  kind: 'status' | 'drop' | 'timeout' | 'slow';
  status: number;
  ms: number;
  /** `before` the request does anything, or `after` it has done everything, so that only the response is lost. */
  when: 'before' | 'after';
}

export interface Faults {
  add(fault: Partial<Fault>): Fault;
  /** The fault for a request, if any; counts as one use. */
  take(method: string, path: string): Fault | null;
  list(): Fault[];
  clear(): void;
}

export function createFaults(): Faults {
  let queue: Fault[] = [];
  return {
    add(fault) {
      const entry: Fault = {
        path: '/v1/',
        method: null,
        times: 1,
        kind: 'status',
        status: 500,
        ms: 30_000,
        when: 'before',
        ...fault,
      };
      queue.push(entry);
      return entry;
    },
    take(method, path) {
      const match = queue.find(
        (fault) => path.startsWith(fault.path) && (fault.method === null || fault.method === method),
      );
      if (!match) return null;
      match.times -= 1;
      queue = queue.filter((fault) => fault.times > 0);
      return match;
    },
    list: () => queue,
    clear() {
      queue = [];
    },
  };
}
