import { visibleText } from '../visible-text.ts';

/** The part after the # of a link with a secret, which reaches neither a server's log nor another site. */
interface LinkFragment {
  secret: string;
  /** The email that the link was sent to, which fills in the form; null for a link that was handed over. */
  email: string | null;
}

/** Longer texts are cut: no link of ours is longer. */
const MAX_LENGTH = 60;
const EMAIL = /^[^\s@<>]{1,64}@[^\s@<>]{1,190}$/;

export const linkFragment = (secret: string, email: string | null): string =>
  email === null ? secret : `${secret}&email=${encodeURIComponent(email)}`;

/** Reads a fragment, with or without its #. Any fragment gives a secret; an empty one means no link. */
export function readLinkFragment(hash: string): LinkFragment {
  const [first = '', ...rest] = hash.replace(/^#/, '').split('&');
  const email = new URLSearchParams(rest.join('&')).get('email');
  return { secret: linkSecret(first).slice(0, MAX_LENGTH), email: email && EMAIL.test(email) ? email : null };
}

/** Invisible marks and full stops, as chats and terminals put them behind a link, are no part of a secret. */
export const linkSecret = (text: string): string =>
  visibleText(decoded(text)).replace(/[.,;:!?)>\]'"]{1,9}$/, '');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
