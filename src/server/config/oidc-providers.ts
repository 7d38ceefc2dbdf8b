/** An OpenID Connect provider whose accounts users can link to theirs. */
export interface OidcProvider {
  /** Lower case, as in URLs and in the database. */
  id: string;
  label: string;
  /** Exactly as in its discovery document and tokens, trailing slash included. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** The database uses 'credential' for a password. */
const NAME = /^(?!credential$)[a-z][a-z0-9-]{0,30}$/;

/** Defaults for the best-known providers; Microsoft's issuer is the one for personal accounts. */
const KNOWN: Record<string, { issuer: string; label: string }> = {
  google: { issuer: 'https://accounts.google.com', label: 'Google' },
  apple: { issuer: 'https://appleid.apple.com', label: 'Apple' },
  microsoft: {
    issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    label: 'Microsoft',
  },
};

/**
 * The providers that OIDC_PROVIDERS names, each with OIDC_<NAME>_CLIENT_ID, _CLIENT_SECRET, _ISSUER and _LABEL.
 * Problems name variables and never repeat values.
 */
export function readOidcProviders(
  source: Record<string, string | undefined>,
  production: boolean,
): { providers: OidcProvider[]; problems: string[] } {
  const ids = (source.OIDC_PROVIDERS ?? '')
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);
  const problems: string[] = [];
  if (!ids.every((id) => NAME.test(id)) || new Set(ids).size < ids.length) {
    problems.push('OIDC_PROVIDERS must list different names of lower-case letters, digits and dashes');
    return { providers: [], problems };
  }
  const providers = ids.map((id) => {
    const prefix = `OIDC_${id.toUpperCase().replaceAll('-', '_')}`;
    const read = (name: string) => source[`${prefix}_${name}`] || undefined;
    const needed = (name: string, fallback?: string) => {
      const value = read(name) ?? fallback;
      if (!value) problems.push(`${prefix}_${name} is needed, as OIDC_PROVIDERS names ${id}`);
      return value ?? '';
    };
    const issuer = needed('ISSUER', KNOWN[id]?.issuer);
    if (issuer && !isIssuer(issuer, production)) {
      problems.push(`${prefix}_ISSUER must be an https:// URL`);
    }
    const label = read('LABEL') ?? KNOWN[id]?.label ?? id;
    if (label.length > 40) problems.push(`${prefix}_LABEL must have at most 40 characters`);
    return { id, label, issuer, clientId: needed('CLIENT_ID'), clientSecret: needed('CLIENT_SECRET') };
  });
  return { providers, problems };
}

function isIssuer(address: string, production: boolean): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && !production));
}
