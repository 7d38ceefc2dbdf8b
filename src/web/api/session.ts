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

/** An auth call that the server refused; message is the server's own, or null when it gave none. */
export class AuthError extends Error {
  readonly status: number;
  readonly serverMessage: string | null;
  /** The stable code of the refusal. */
  readonly code: string | null;

  constructor(status: number, serverMessage: string | null, code: string | null = null) {
    super(serverMessage ?? `auth ${status}`);
    this.status = status;
    this.serverMessage = serverMessage;
    this.code = code;
  }
}

/** What an identity call may answer; only some of them do. */
export interface AuthAnswer {
  /** The password was right, and a second step is asked for. */
  two_factor?: boolean;
  totp_uri?: string;
  backup_codes?: string[];
  /** Where the browser goes next: a provider's page. */
  url?: string;
  /** What to ask the device for, for a passkey. */
  options?: unknown;
}

/** An identity call. Throws AuthError when it is refused; rejects when the server cannot be reached. */
export async function postAuth(path: string, body: unknown): Promise<AuthAnswer> {
  const response = await fetch(`/api/auth/${path}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.ok) return response.json();
  const answer = (await response.json().catch(() => null)) as { message?: unknown; code?: unknown } | null;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  throw new AuthError(response.status, text(answer?.message), text(answer?.code));
}

let known: Promise<SessionUser | null> | null = null;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Retries back off from 200 ms, doubling (spec section 9); a definite answer is never retried. */
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
    if (delay > 3_200 || !navigator.onLine) throw new AuthError(503, null);
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

/** Throws AuthError. Resolves with the user that is now signed in, or 'second step' when a code is asked for. */
export async function signIn(email: string, password: string): Promise<SessionUser | null | 'second step'> {
  const { two_factor } = await postAuth('sign-in/email', { email, password });
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

/** Throws AuthError. The new account is signed in, and always a customer. */
export async function signUp(registration: Registration): Promise<SessionUser | null> {
  await postAuth('sign-up/email', registration);
  forgetSession();
  return currentUser();
}

/**
 * 401, 403 and 404 count as signed out (spec section 7). Throws AuthError on anything else; what this device
 * keeps for its owner is gone even then, as without network.
 */
export async function signOut(): Promise<void> {
  deleteOfflineCard();
  try {
    await postAuth('sign-out', {});
  } catch (error) {
    if (!(error instanceof AuthError && [401, 403, 404].includes(error.status))) throw error;
  }
  forgetSession();
}

export function homeOf(user: SessionUser): '/staff/dashboard' | '/dashboard' {
  return user.role === 'staff' ? '/staff/dashboard' : '/dashboard';
}
