import { SIGNED_IN_KEY } from './session.ts';

interface Followed {
  /** Nobody is signed in any more. */
  onSignedOut(): void;
  /** Somebody else is; nothing on this page is theirs. */
  onOtherUser(): void;
}

/** Follows signing out and in on the other tabs of this browser. Returns how to stop. */
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
