import type { SessionUser } from '../api/session.ts';
import { AuthError, currentUser, forgetSession, postAuth } from '../api/session.ts';

/** Only in browsers that parse the server's options themselves: a library for the others would make /login slower. */
export function passkeysSupported(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  );
}

function base64url(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// By hand, because the passkeys of some password managers have no toJSON.
const describe = ({ rawId }: PublicKeyCredential) => ({
  id: base64url(rawId),
  rawId: base64url(rawId),
  type: 'public-key',
});

/**
 * Signs in with one of this device's passkeys. Throws AuthError when the server refuses it, DOMException when the
 * device or the user does.
 */
export async function signInWithPasskey(): Promise<SessionUser | null> {
  const { options } = await postAuth('passkey/generate-authenticate-options', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse;
  await postAuth('passkey/verify-authentication', {
    response: {
      ...describe(credential),
      response: {
        clientDataJSON: base64url(clientDataJSON),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: userHandle?.byteLength ? base64url(userHandle) : undefined,
      },
    },
  });
  forgetSession();
  return currentUser();
}

/** Creates a passkey on this device for the signed-in user. Throws as `signInWithPasskey` does. */
export async function addPasskey(password: string, name: string): Promise<void> {
  const { options } = await postAuth('passkey/generate-register-options', { password });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  await postAuth('passkey/verify-registration', {
    name,
    response: {
      ...describe(credential),
      response: {
        clientDataJSON: base64url(response.clientDataJSON),
        attestationObject: base64url(response.attestationObject),
        transports: response.getTransports?.(),
      },
    },
  });
}

/** What to show when a passkey did not work. */
export function passkeyErrorText(error: unknown, fallback: string): string {
  if (error instanceof AuthError) return error.serverMessage ?? fallback;
  switch ((error as Error | null)?.name) {
    // The same for a closed dialog, a timeout, and a device without a passkey.
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used. You can try again.';
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.';
    case 'SecurityError':
      return 'Passkeys do not work at this URL.';
    default:
      return fallback;
  }
}
