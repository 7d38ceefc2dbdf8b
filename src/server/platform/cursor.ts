/** A position in a list, opaque to clients. */
export function encodeCursor(...parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

type Check = (part: string) => boolean;

/** The parts of a cursor; null if it is invalid or a part fails its check, so that the list starts over. */
export function decodeCursor(text: string | undefined, ...checks: Check[]): string[] | null {
  if (!text) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts) || parts.length !== checks.length) return null;
    const fits = (part: unknown, check: Check) => typeof part === 'string' && isStorable(part) && check(part);
    return checks.every((check, i) => fits(parts[i], check)) ? parts : null;
  } catch {
    return null;
  }
}

/** Whether Postgres can store it: no NUL, and no lone surrogate. */
const isStorable: Check = (part) => part.isWellFormed() && !part.includes('\0');

export const isInstant: Check = (part) =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(part) && !Number.isNaN(Date.parse(part));

export const isDay: Check = (part) => /^\d{4}-\d\d-\d\d$/.test(part) && !Number.isNaN(Date.parse(part));
