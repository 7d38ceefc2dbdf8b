/** Finds the pattern of a path, with or without a trailing slash; in a pattern, `$` begins a parameter. Null for no page. */
export function pageFinder(patterns: readonly string[]): (path: string) => string | null {
  const pages = patterns.map((page) => ({
    page,
    pattern: new RegExp(`^${page.replaceAll(/\$\w+/g, '[^/]+')}$`),
  }));
  return (path) => {
    const bare = path.length > 1 ? path.replace(/\/$/, '') : path;
    return pages.find(({ pattern }) => pattern.test(bare))?.page ?? null;
  };
}
