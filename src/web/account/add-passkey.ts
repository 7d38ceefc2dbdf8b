import { auth } from '../api/auth-client.ts';
import { base64url, described } from '../visitor/passkey.ts';

/** Makes a passkey on this device for the signed-in person. Throws as `signInWithPasskey` does. */
export async function addPasskey(password: string, name: string): Promise<void> {
  const options = await auth.createPasskeyOptions({ password });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  await auth.createPasskey({
    name,
    response: {
      ...described(credential),
      response: {
        clientDataJSON: base64url(response.clientDataJSON),
        attestationObject: base64url(response.attestationObject),
        transports: response.getTransports?.(),
      },
    },
  });
}
