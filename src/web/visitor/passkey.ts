import { isApiError } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { currentUser, type SessionUser, startSession } from '../api/session.ts';

/** Only browsers that parse the server's options natively: a library for the others would burden /login. */
export function passkeysSupported(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  );
}

export function base64url(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Written by hand, because passkeys of some password managers have no toJSON. */
export const described = ({ rawId }: PublicKeyCredential) => ({
  id: base64url(rawId),
  rawId: base64url(rawId),
  type: 'public-key' as const,
});

/** Throws ApiError if the server refuses the passkey, DOMException if the device or the person does. */
export async function signInWithPasskey(): Promise<SessionUser | null> {
  const options = await auth.signInWithPasskeyOptions({});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse;
  await auth.signInWithPasskey({
    response: {
      ...described(credential),
      response: {
        clientDataJSON: base64url(clientDataJSON),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: userHandle?.byteLength ? base64url(userHandle) : undefined,
      },
    },
  });
  startSession();
  return currentUser();
}

export function passkeyErrorText(error: unknown, fallback: string): string {
  if (isApiError(error)) return error.message || fallback;
  switch ((error as Error | null)?.name) {
    // Browsers report the same error if the person closed the dialog, waited too long, or has no passkey here.
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used. You can try again.';
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.';
    case 'SecurityError':
      return 'Passkeys do not work at this address.';
    default:
      return fallback;
  }
}
