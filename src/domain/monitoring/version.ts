/** Whether a version such as 1.10.0 is newer than another. */
export function isNewer(version: string, reference: string): boolean {
  const [one, other] = [version, reference].map((it) => it.split('.').map(Number));
  for (const [at, part] of (one ?? []).entries()) {
    const difference = part - (other?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
