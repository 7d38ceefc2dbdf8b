let loaded: Promise<ReadonlySet<string>> | undefined;

/**
 * Passwords that many people use, from leaks: docs/decisions/passkeys-and-passwords.md. Read when the first password is
 * chosen,
 * as few starts of the server need it.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common/src/passwords.json', { with: { type: 'json' } }).then(
    ({ default: list }) => new Set(list),
  );
  return loaded;
}
