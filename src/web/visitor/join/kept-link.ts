/** A link that this tab opened, with the secret that ties it to this browser. */
export interface KeptLink {
  token: string;
  browser: string;
}

const KEY = 'cellar-door:payment-link';
const SECRET = /^[\w-]{43}$/;

/** 32 random bytes, base64url. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** The link with which this tab went to payment; null if none. Survives the payment page, but not the tab. */
export function readKeptLink(): KeptLink | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<KeptLink> | null;
    const { token, browser } = kept ?? {};
    return token && browser && SECRET.test(token) && SECRET.test(browser) ? { token, browser } : null;
  } catch {
    return null;
  }
}

/** Stores a link for the return; the same link keeps its secret. */
export function keepLink(token: string): KeptLink {
  const known = readKeptLink();
  if (known?.token === token) return known;
  const link = { token, browser: newSecret() };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(link));
  } catch {
    // The page then cannot say on return whether it was paid; the email does.
  }
  return link;
}
