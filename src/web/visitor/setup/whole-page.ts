/** Opens a page as a new document, with the club's current name. Replaced in tests. */
export const wholePage = { open: (path: string) => window.location.replace(path) };
