/** One tab at a time. Web Locks are missing on pages served insecurely; the server counts a request once anyway. */
export function withTabLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator as { locks?: LockManager };
  return locks ? (locks.request(`cellar-door:${name}`, work) as Promise<Result>) : work();
}
