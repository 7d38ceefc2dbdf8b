import type { Context } from 'hono';
import { errorResponse } from '../api/errors.ts';
import type { SecurityContact } from '../config/security-contact.ts';

export const SECURITY_TXT_PATH = '/.well-known/security.txt';

interface SecurityTxt {
  securityContact: SecurityContact | null;
  publicUrl: string;
  now(): Date;
}

/** GET /.well-known/security.txt (RFC 9116); not found without a contact, or once it has expired. */
export function securityTxt({ securityContact, publicUrl, now }: SecurityTxt) {
  return (c: Context): Response => {
    if (!securityContact || securityContact.expires <= now()) {
      return errorResponse('NOT_FOUND', { what: 'route' });
    }
    const lines = [
      `Contact: ${securityContact.contact}`,
      `Expires: ${securityContact.expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}${SECURITY_TXT_PATH}`,
    ];
    return c.text(`${lines.join('\n')}\n`);
  };
}
