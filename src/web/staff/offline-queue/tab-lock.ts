/** Runs `work` in one tab at a time. Without HTTPS there are no Web Locks, and the server still counts each request once. */
export function withTabLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator as { locks?: LockManager };
  return locks ? (locks.request(`cellar-door:${name}`, work) as Promise<Result>) : work();
}
