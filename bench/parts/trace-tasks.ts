/** Categories of Chromium's trace that name tasks and what they do. */
export const TRACED = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-lighthouse',
  'v8.compile',
  'disabled-by-default-v8.compile',
  'loading',
  'blink.user_timing',
];

/** An event of a trace; times in microseconds. */
export interface TraceEvent {
  name: string;
  ph: string;
  ts: number;
  pid: number;
  tid: number;
  dur?: number;
  /** The thread's processor time. */
  tdur?: number;
  args: { data?: Record<string, unknown>; name?: string; url?: string };
}

/** A task of the main thread; times in milliseconds, from the navigation on. */
export interface Task {
  began: number;
  ended: number;
  /** Processor time. */
  ms: number;
  /** What it did, with the self time of each part, the longest first. */
  parts: [string, number][];
}

const fileOf = (url: unknown) =>
  typeof url === 'string' ? (url.split('/').at(-1) ?? '').replace(/-[\w-]{8}\.js$/, '.js') : '';

/** 'EvaluateScript index.js' */
function nameOf({ name, args }: TraceEvent): string {
  const { url, functionName, fileName } = (args.data ?? {}) as Record<string, string>;
  const file = fileOf(url ?? fileName ?? args.url);
  return [name, file, functionName].filter(Boolean).join(' ');
}

const costOf = ({ dur = 0, tdur = dur }: TraceEvent) => tdur;

/** The tasks of that page's main thread, and the time of its first contentful paint. Throws if either is missing. */
export function readTasks(events: TraceEvent[], url: string): { tasks: Task[]; painted: number } {
  const navigation = events.findLast(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL === url,
  );
  const own = events.filter((it) => it.pid === navigation?.pid && it.tid === navigation?.tid);
  const paint = own.find((it) => it.name === 'firstContentfulPaint' && it.ts > (navigation?.ts ?? 0));
  if (!navigation || !paint) throw new Error(`No page was painted at ${url}`);
  const done = own
    .filter(({ ph, ts }) => ph === 'X' && ts >= navigation.ts)
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks: Task[] = [];
  for (const [at, event] of done.entries()) {
    if (event.name !== 'RunTask' && event.name !== 'ThreadControllerImpl::RunTask') continue;
    const end = event.ts + (event.dur ?? 0);
    // The same task is listed in two categories.
    if (tasks.at(-1) && (tasks.at(-1)?.ended ?? 0) >= (end - navigation.ts) / 1000) continue;
    tasks.push({
      began: (event.ts - navigation.ts) / 1000,
      ended: (end - navigation.ts) / 1000,
      ms: costOf(event) / 1000,
      parts: partsOf(event, done.slice(at + 1)),
    });
  }
  return { tasks, painted: (paint.ts - navigation.ts) / 1000 };
}

/** Self time of what ran inside the task, by name. */
function partsOf(task: TraceEvent, after: TraceEvent[]): Task['parts'] {
  const end = task.ts + (task.dur ?? 0);
  const sums = new Map<string, number>();
  const open: { name: string; end: number }[] = [];
  const add = (name: string, microseconds: number) =>
    sums.set(name, (sums.get(name) ?? 0) + microseconds / 1000);
  for (const event of after) {
    if (event.ts >= end) break;
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= event.ts) open.pop();
    const name = nameOf(event);
    const around = open.at(-1);
    if (around) add(around.name, -costOf(event));
    add(name, costOf(event));
    open.push({ name, end: event.ts + (event.dur ?? 0) });
  }
  return [...sums]
    .filter(([, ms]) => ms > 0.5)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 6);
}
