import { visibleText } from './visible-text.ts';

const MAX_LENGTH = 254;
/** Letters, digits and signs as keyboards of Chinese, Japanese and Korean type them; U+FEE0 above those of ASCII. */
const WIDE = /[\uFF01-\uFF5E]/g;
const OTHER_SCRIPT = /^(?=.*[^\0-\x7F])[\p{L}\p{M}\p{N}.\u3002\uFF61-]+$/u;

/**
 * An email as mail servers know it: without what a paste brings along unseen, in narrow letters, and with a domain in another
 * script as its xn-- form. A text that is no email stays one.
 */
export function emailAddress(text: string): string {
  const plainText = visibleText(text)
    .replaceAll(WIDE, (it) => String.fromCharCode(it.charCodeAt(0) - 0xfee0))
    .replaceAll('\uFE6B', '@');
  const start = plainText.lastIndexOf('@') + 1;
  const domain = plainText.slice(start);
  if (start === 0 || !OTHER_SCRIPT.test(domain) || !URL.canParse(`http://${domain}`)) return plainText;
  const address = `${plainText.slice(0, start)}${new URL(`http://${domain}`).hostname}`;
  return address.length <= MAX_LENGTH ? address : plainText;
}
