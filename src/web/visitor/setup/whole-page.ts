/** Opens a page as a new document, with the club's name of now. Replaced in tests. */
export const wholePage = { open: (path: string) => window.location.replace(path) };
