import { z } from 'zod';
import { passkeyName } from '../../../contract/webauthn.ts';

/** Bytes as browsers write them in JSON. */
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/);

// Ids have at most 1023 bytes, user handles 64; the rest is as large as devices make it, and some room.
const credentialId = base64url(1364);
const clientData = base64url(4096);
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** What the library wants to be there, and nobody here asks devices for. */
const noExtensions = <T extends object>({ response, ...rest }: { response: T }) => ({
  ...rest,
  response: { ...response, clientExtensionResults: {} },
});

/** A new passkey, as the device made it, and what its owner calls it. */
export const registration = z
  .strictObject({
    name: passkeyName,
    response: z.strictObject({
      ...credential,
      response: z.strictObject({
        clientDataJSON: clientData,
        attestationObject: base64url(16_384),
        transports: z
          .array(z.string().regex(/^[a-z-]{1,20}$/))
          .max(8)
          .optional(),
      }),
    }),
  })
  .transform(noExtensions);

/** A passkey's answer to a challenge. */
export const assertion = z
  .strictObject({
    response: z.strictObject({
      ...credential,
      response: z.strictObject({
        clientDataJSON: clientData,
        authenticatorData: base64url(4096),
        signature: base64url(4096),
        userHandle: base64url(86).optional(),
      }),
    }),
  })
  .transform(noExtensions);

const described = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()).optional(),
});

/** What the browser is told to make a passkey from. */
export const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.string(), alg: z.number() })),
  timeout: z.number().optional(),
  excludeCredentials: z.array(described).optional(),
  authenticatorSelection: z.object({
    residentKey: z.string(),
    requireResidentKey: z.boolean().optional(),
    userVerification: z.string(),
  }),
  attestation: z.string(),
});

/** And to sign in with one: any of this site, after the device has checked that it is its owner. */
export const requestOptions = z
  .object({ challenge: z.string(), rpId: z.string(), timeout: z.number().optional() })
  .transform((options) => ({ ...options, userVerification: 'required' }));
