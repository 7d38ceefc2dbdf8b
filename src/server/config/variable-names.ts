import { ConfigurationError } from './config-error.ts';
import { VARIABLES } from './env.ts';
import { isSecret } from './secret-files.ts';

const OF_A_PROVIDER = ['CLIENT_ID', 'CLIENT_SECRET', 'CLIENT_SECRET_FILE', 'ISSUER', 'LABEL'];
const PROVIDERS_VARIABLE = new RegExp(`^OIDC_[A-Z0-9_]+_(${OF_A_PROVIDER.join('|')})$`);
/** How many letters can be wrong, missing or too many in a misspelt name. */
const maxTypos = (name: string) => Math.min(3, Math.ceil(name.length / 3));

/**
 * Throws ConfigurationError for names in a file of variables that the server does not read, with the nearest that it does.
 * Variables of providers that OIDC_PROVIDERS does not list are fine: removing one from the list turns it off.
 */
export function assertKnownNames(names: string[], providers = ''): void {
  const providerNames = providers
    .split(',')
    .flatMap((id) => OF_A_PROVIDER.map((it) => `OIDC_${id.trim().toUpperCase().replaceAll('-', '_')}_${it}`));
  const baseNames = [...VARIABLES, 'OIDC_PROVIDERS'];
  const validNames = [
    ...baseNames,
    ...baseNames.filter(isSecret).map((name) => `${name}_FILE`),
    ...providerNames,
  ];
  const problems = names
    .filter((name) => !validNames.includes(name))
    .flatMap((name) => {
      const [match] = validNames
        .map((it) => ({ it, distance: distance(name.toUpperCase(), it) }))
        .filter((it) => it.distance <= maxTypos(name))
        .sort((a, other) => a.distance - other.distance);
      if (!match && PROVIDERS_VARIABLE.test(name)) return [];
      return [`.env sets ${name}, which nothing reads${match ? `: is it ${match.it}?` : ''}`];
    });
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** The letters to insert, remove or replace to get from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries()) {
      const [left = 0, above = 0, across = 0] = [next[at], row[at + 1], row[at]];
      next.push(Math.min(left + 1, above + 1, across + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
