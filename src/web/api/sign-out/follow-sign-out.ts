import { SIGNED_IN_KEY } from '../session.ts';

interface Followed {
  /** Called when no user is signed in any more. */
  onSignedOut(): void;
  /** Called when another user signs in: nothing on this page belongs to them. */
  onOtherUser(): void;
}

/** Follows sign-outs and sign-ins on other tabs of this browser. Returns a function that stops it. */
export function followSignOut({ onSignedOut, onOtherUser }: Followed): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // A null key: the browser's storage was cleared, which says nothing about the session.
    if (key !== SIGNED_IN_KEY) return;
    if (newValue === null) onSignedOut();
    else onOtherUser();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
