import { SIGNED_IN_KEY } from '../session.ts';

interface Followed {
  /** Nobody is signed in any more. */
  onSignedOut(): void;
  /** Somebody else is signed in now; nothing on this page is theirs. */
  onOtherUser(): void;
}

/** Follows signing out and in on other tabs of this browser. Returns a function that stops it. */
export function followSignOut({ onSignedOut, onOtherUser }: Followed): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // A null key: the browser's storage was cleared, which says nothing of the session.
    if (key !== SIGNED_IN_KEY) return;
    if (newValue === null) onSignedOut();
    else onOtherUser();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
