import { z } from 'zod';
import { text } from '../text.ts';

/** Base64url, the form of bytes in browsers' JSON. */
const base64url = (max: number) =>
  text(max)
    .min(1)
    .regex(/^[\w-]+$/);

// Ids have at most 1023 bytes, user handles 64; the other limits are what devices produce, with some margin.
const credentialId = base64url(1364);
const clientData = base64url(4096);
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

export const registrationResponse = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: clientData,
    attestationObject: base64url(16_384),
    transports: z
      .array(text(20).regex(/^[a-z-]{1,20}$/))
      .max(8)
      .optional(),
  }),
});

export const assertionResponse = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: clientData,
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: base64url(86).optional(),
  }),
});

const descriptor = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()).optional(),
});

export const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.string(), alg: z.number() })),
  timeout: z.number().optional(),
  excludeCredentials: z.array(descriptor).optional(),
  authenticatorSelection: z.object({
    residentKey: z.string(),
    requireResidentKey: z.boolean().optional(),
    userVerification: z.string(),
  }),
  attestation: z.string(),
});

/** The options for signing in: any passkey of this site, after the device has verified its owner. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().optional(),
  userVerification: z.literal('required'),
});
