/**
 * The data that the server wrote into this document, in the script element with that id; null if none, as in the page that
 * devices cache. Removed at once, so that a later user of the document cannot find it.
 */
export function takeJson<T>(id: string): T | null {
  const element = document.getElementById(id);
  element?.remove();
  try {
    return element?.textContent ? (JSON.parse(element.textContent) as T) : null;
  } catch {
    return null;
  }
}
