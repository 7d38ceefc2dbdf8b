/** What a frame says, by the names of its places. */
export type FrameValues = Record<string, string | number>;

const REPEATED = /<!-- times (\w+) -->([\s\S]*?)<!-- end -->/g;
const PLACE = /__([A-Z]+(?:_[A-Z]+)*)__/g;

/** For the text of an element, or a value in quotes of either kind. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);

/**
 * A frame's HTML with what it says: `__NAME__` becomes that value, escaped, and what is between `<!-- times NAME -->` and
 * `<!-- end -->` comes as often as the value says. All in one pass each, so that no value is taken for a place.
 */
export const fillFrame = (html: string, values: FrameValues): string =>
  html
    .replace(REPEATED, (_, name: string, part: string) => part.repeat(Number(values[name] ?? 0)))
    .replace(PLACE, (_, name: string) => escapeHtml(String(values[name] ?? '')))
    .trim();
