import { REFERENCE_HEADER } from '../../domain/monitoring/reference.ts';
import { ApiError, isApiError } from './api-error.ts';
import { auth } from './auth-client.ts';
import { watched } from './build.ts';
import { BALANCE_PREFIX, removeLocalUnder } from './local-storage.ts';
import { deleteOfflineCard } from './offline-card.ts';
import { referenceHeaders } from './reference.ts';

/** The signed-in user. */
export interface SessionUser {
  id: string;
  email: string;
  /** The user confirmed the email with a link. */
  email_verified?: boolean;
  first_name: string;
  last_name: string;
  phone: string | null;
  role: 'customer' | 'staff' | null;
  /** Two-step sign-in is on. */
  two_factor?: boolean;
  /** Staff who must set it up before anything else. */
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
    let reference: string | null = null;
    try {
      const response = await watched(
        'GET',
        fetch('/api/session', { credentials: 'same-origin', headers: referenceHeaders() }),
      );
      if (response.ok) {
        const { user } = (await response.json()) as Session;
        // The next user of a shared device must not find the last one's card, or members' balances.
        deleteOfflineCard(user?.id);
        if (user?.role !== 'staff') removeLocalUnder(BALANCE_PREFIX);
        return user;
      }
      if (response.status < 500) return null;
      reference = response.headers.get(REFERENCE_HEADER);
    } catch (error) {
      if (delay > 3_200) throw error;
    }
    if (delay > 3_200 || !navigator.onLine) throw new ApiError(503, { reference });
    await wait(delay);
  }
}

/** The signed-in user, null for a visitor; fetched once and remembered until `forgetSession`, sign-in or sign-out. */
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

/** Throws ApiError. Resolves with the user who is now signed in, or with 'second step' when a code is needed. */
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
  /** Of the words shown beside the button, if any. */
  consent_version?: string;
  /** The visitor's solution, where the site has a captcha. */
  captcha?: string | undefined;
}

/** Throws ApiError. The new account is signed in, and always a customer. */
export async function signUp(registration: Registration): Promise<SessionUser | null> {
  await auth.signUp(registration);
  forgetSession();
  return currentUser();
}

/**
 * 401, 403 and 404 count as signed out: docs/rules.md, "Sessions". Throws ApiError on anything else; the card and
 * the balances saved on this device are deleted in any case.
 */
export async function signOut(): Promise<void> {
  deleteOfflineCard();
  removeLocalUnder(BALANCE_PREFIX);
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
