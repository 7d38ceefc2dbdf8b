/**
 * What the server wrote into this document, in the script element with that id; null if it wrote nothing, as in the page
 * that devices cache. It is removed at once, so that nobody who opens the document later finds it.
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
