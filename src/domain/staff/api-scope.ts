/**
 * The scopes of API clients. Members' clients can use the first four, staff's clients all but the first two; the user's
 * role limits them all. src/server/api/calls names the scope of each call.
 */
export const API_SCOPES = [
  'own:read',
  'own:write',
  'tiers:read',
  'wines:read',
  'wines:write',
  'cards:read',
  'pours:read',
  'pours:write',
  'members:read',
  'applications:read',
  'applications:write',
  'reports:read',
  'venue:read',
  'venue:write',
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** Scopes that staff can choose: a staff account has no membership or application of its own. */
export const STAFF_SCOPES: readonly ApiScope[] = API_SCOPES.filter((it) => !it.startsWith('own:'));

const isScope = (text: string): text is ApiScope => (API_SCOPES as readonly string[]).includes(text);

/**
 * The client's scopes that an OAuth `scope` asks for, all of them if it names none; null if it names one that the client
 * does not have.
 */
export function narrowedScopes(
  request: string | null,
  grants: readonly ApiScope[],
): readonly ApiScope[] | null {
  const names = (request ?? '').split(' ').filter((it) => it !== '');
  if (names.length === 0) return grants;
  const scopes = names.filter(isScope);
  return scopes.length === names.length && scopes.every((it) => grants.includes(it))
    ? [...new Set(scopes)]
    : null;
}
