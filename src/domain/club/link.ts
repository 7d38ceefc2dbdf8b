/**
 * Matches what mail programs turn into a link: a scheme, www, or a domain, alone or with a path. The name in an email
 * address does not count, nor does a new sentence without a space before it, which begins with one capital letter.
 * Each word is read a fixed number of times: the time grows with the length of the text, not with its square.
 */
export const LINK =
  /:\/\/|\b[wW]{3}\.|[\p{L}\p{N}}][.\u3002\uFF0E\uFF61]\p{L}{2,}(?::\d|\/)|(?<!\S)(?=[^\s@]+(?!\S))[^\s@]*[\p{L}\p{N}}]\.(?:[a-z]{2}|[A-Z]{2})|[a-zA-Z0-9}][\u3002\uFF0E\uFF61][a-zA-Z]{2}/u;
