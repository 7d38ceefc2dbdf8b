import { ApiError, isApiError } from './api-error.ts';
import { auth } from './auth-client.ts';
import { deleteOfflineCard } from './offline-card.ts';

/** The signed-in person as the server knows them; null for a visitor. */
export interface SessionUser {
  id: string;
  email: string;
  /** The address was confirmed by a link. */
  email_verified?: boolean;
  first_name: string;
  last_name: string;
  phone: string | null;
  role: 'customer' | 'staff' | null;
  /** Two-step sign-in is on. */
  two_factor?: boolean;
  /** Staff who must turn it on before anything else. */
  must_enrol?: boolean;
}

interface Session {
  user: SessionUser | null;
}

let known: Promise<SessionUser | null> | null = null;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Retries back off from 200 ms, doubling; a definite answer is never retried. */
async function fetchSession(): Promise<SessionUser | null> {
  for (let delay = 200; ; delay *= 2) {
    try {
      const response = await fetch('/api/session', { credentials: 'same-origin' });
      if (response.ok) {
        const { user } = (await response.json()) as Session;
        // Whoever shares this device must not find the card of the person before.
        deleteOfflineCard(user?.id);
        return user;
      }
      if (response.status < 500) return null;
    } catch (error) {
      if (delay > 3_200) throw error;
    }
    if (delay > 3_200 || !navigator.onLine) throw new ApiError(503);
    await wait(delay);
  }
}

/** Who is signed in; asked once and remembered until `forgetSession`, sign-in or sign-out. */
export function currentUser(): Promise<SessionUser | null> {
  known ??= fetchSession().catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

export function forgetSession(): void {
  known = null;
}

/** Throws ApiError. Resolves with the user that is now signed in, or 'second step' when a code is asked for. */
export async function signIn(email: string, password: string): Promise<SessionUser | null | 'second step'> {
  const { two_factor } = await auth.signIn({ email, password });
  forgetSession();
  return two_factor ? 'second step' : currentUser();
}

export interface Registration {
  first_name: string;
  last_name: string;
  email: string;
  phone?: string;
  password: string;
}

/** Throws ApiError. The new account is signed in, and always a customer. */
export async function signUp(registration: Registration): Promise<SessionUser | null> {
  await auth.signUp(registration);
  forgetSession();
  return currentUser();
}

/**
 * 401, 403 and 404 count as signed out. Throws ApiError on anything else; what this device
 * keeps for its owner is gone even then, as without network.
 */
export async function signOut(): Promise<void> {
  deleteOfflineCard();
  try {
    await auth.signOut({});
  } catch (error) {
    if (!(isApiError(error) && [401, 403, 404].includes(error.status))) throw error;
  }
  forgetSession();
}

export function homeOf(user: SessionUser): '/staff/dashboard' | '/dashboard' {
  return user.role === 'staff' ? '/staff/dashboard' : '/dashboard';
}
