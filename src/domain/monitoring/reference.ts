/** Crockford's Base32: no character can be mistaken for a digit when read out on the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const GROUP_LENGTH = 4;

export const REFERENCE_BYTES = GROUPS * GROUP_LENGTH;

/** The header of requests and responses with the reference. */
export const REFERENCE_HEADER = 'x-request-id';

const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}$/;

/** A reference for a request, such as 7K3M-9QX2-D4FT, from 60 bits of 12 random bytes. */
export function referenceFrom(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < REFERENCE_BYTES; at++) {
    if (at > 0 && at % GROUP_LENGTH === 0) text += '-';
    text += ALPHABET.charAt((bytes[at] ?? 0) % 32);
  }
  return text;
}

/** Whether a text is exactly a reference: references go into logs and statements unescaped. */
export const isReference = (text: string): boolean => REFERENCE.test(text);
