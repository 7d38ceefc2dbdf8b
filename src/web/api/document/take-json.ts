/** What the server wrote into this document, if anything. Removed at once, so that a later user cannot find it. */
export function takeJson<T>(id: string): T | null {
  const element = document.getElementById(id);
  element?.remove();
  try {
    return element?.textContent ? (JSON.parse(element.textContent) as T) : null;
  } catch {
    return null;
  }
}
