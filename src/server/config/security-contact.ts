import { ConfigurationError } from './config-error.ts';

export type SecurityContact = NonNullable<ReturnType<typeof readSecurityContact>>;

/** The contact for a vulnerability (RFC 9116); null if none is configured. Throws ConfigurationError if only half is. */
export function readSecurityContact(env: { SECURITY_CONTACT?: string; SECURITY_CONTACT_EXPIRES?: string }) {
  const { SECURITY_CONTACT: contact, SECURITY_CONTACT_EXPIRES: expiry } = env;
  if (!contact && !expiry) return null;
  if (!contact || !expiry) {
    throw new ConfigurationError([
      'SECURITY_CONTACT and SECURITY_CONTACT_EXPIRES go together: set both or none',
    ]);
  }
  return { contact, expires: new Date(expiry) };
}
