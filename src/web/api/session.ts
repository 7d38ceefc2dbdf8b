import { REFERENCE_HEADER } from '../../domain/monitoring/reference.ts';
import type { StaffPermission } from '../../domain/staff/staff-permission.ts';
import { ApiError } from './api-error.ts';
import { auth } from './auth-client.ts';
import { watched } from './build.ts';
import { forgetTablet, keepTablet, type Tablet } from './device/tablet.ts';
import { forgetMembership } from './document/given-membership.ts';
import { takeJson } from './document/take-json.ts';
import { inTime, isTimeout } from './in-time.ts';
import { noteHasPassword } from './joining.ts';
import { BALANCE_PREFIX, readLocal, removeLocal, removeLocalUnder, writeLocal } from './local-storage.ts';
import { deleteOfflineCard } from './offline-card.ts';
import { deleteOfflineStaff, saveOfflineStaff } from './offline-staff.ts';
import { isOnline } from './online.ts';
import { referenceHeaders } from './reference.ts';

export interface SessionUser {
  id: string;
  email: string;
  email_verified?: boolean;
  first_name: string;
  last_name: string;
  phone: string | null;
  role: 'customer' | 'staff' | null;
  two_factor?: boolean;
  /** True for staff who have to set up two-step sign-in first. */
  must_enrol?: boolean;
  /** Permissions beyond the bar. The server checks the database at each call. */
  permissions?: StaffPermission[];
  /** The shared tablet on which the user entered a PIN; only bar work is possible there. */
  tablet?: Tablet;
}

export const may = ({ permissions }: SessionUser, permission: StaffPermission): boolean =>
  permissions?.includes(permission) ?? false;

/** Shown where the server signed someone in, and the browser did not keep the cookie. */
export const COOKIES_BLOCKED =
  'Your browser blocks cookies, and you can’t stay signed in without one. Allow cookies for this site, then sign in.';

interface Session {
  user: SessionUser | null;
  /** Set on a shared tablet, in use or not. */
  tablet?: Tablet;
}

/** The key of the id of the user signed in on this device. Other tabs are notified of changes. */
export const SIGNED_IN_KEY = 'cellar-door:signed-in';

let ended = false;

/** Whether a session on this device ended without signing out here: it expired, or another tab signed out. */
export function sessionHasEnded(): boolean {
  return ended;
}

function recordSession({ user, tablet }: Session): SessionUser | null {
  // Without a user or a tablet the setting stays: a tablet that was signed out then says so, and what to do.
  if (tablet) keepTablet(tablet);
  else if (user) forgetTablet();
  keepForOffline(user);
  recordUser(user);
  return user && tablet ? { ...user, tablet } : user;
}

function recordUser(user: SessionUser | null): void {
  if (user) {
    ended = false;
    if (readLocal(SIGNED_IN_KEY) !== user.id) writeLocal(SIGNED_IN_KEY, user.id);
    return;
  }
  ended ||= readLocal(SIGNED_IN_KEY) !== null;
  removeLocal(SIGNED_IN_KEY);
}

/**
 * Stores staff on this device, for a bar without a network, and removes what the next user of a shared device must not
 * find: a card, or members' balances.
 */
function keepForOffline(user: SessionUser | null): void {
  deleteOfflineCard(user?.id);
  if (user?.role === 'staff' && !user.must_enrol) saveOfflineStaff(user, Date.now());
  else deleteOfflineStaff();
  if (user?.role !== 'staff') removeLocalUnder(BALANCE_PREFIX);
}

let documentSession = takeJson<Session>('session');

let userPromise: Promise<SessionUser | null> | null = null;

/** Waits, but not beyond the end of the signal. */
const wait = (ms: number, signal: AbortSignal) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', resolve);
  });

/** Signed out here although the server could not: the cookie, which scripts cannot delete, is ignored from now on. */
const SIGNED_OUT = 'cellar-door:signed-out';

/** Retries start after 200 ms and double, until the time is up; a definite response is never retried. */
async function fetchSession(): Promise<SessionUser | null> {
  if (readLocal(SIGNED_OUT) === true) return null;
  if (documentSession) {
    const session = documentSession;
    documentSession = null;
    return recordSession(session);
  }
  const { signal } = inTime();
  for (let delay = 200; ; delay *= 2) {
    let reference: string | null = null;
    try {
      const response = await watched(
        'GET',
        fetch('/api/session', { credentials: 'same-origin', headers: referenceHeaders(), signal }),
      );
      if (response.ok) {
        return recordSession((await response.json()) as Session);
      }
      if (response.status < 500) {
        deleteOfflineStaff();
        return null;
      }
      reference = response.headers.get(REFERENCE_HEADER);
    } catch (error) {
      if (delay > 3_200 || isTimeout(error)) throw error;
    }
    if (delay > 3_200 || !isOnline()) throw new ApiError(503, { reference });
    await wait(delay, signal);
  }
}

/** Null for a visitor. Read from the document or fetched once, and cached until `forgetSession`, sign-in or sign-out. */
export function currentUser(): Promise<SessionUser | null> {
  userPromise ??= fetchSession().catch((error) => {
    userPromise = null;
    throw error;
  });
  return userPromise;
}

export function forgetSession(): void {
  userPromise = null;
  documentSession = null;
  forgetMembership();
}

/** Call after a sign-in, or before leaving for a page that signs in. */
export function startSession(): void {
  removeLocal(SIGNED_OUT);
  forgetSession();
}

export function ignoreSession(): void {
  writeLocal(SIGNED_OUT, true);
}

/** Call after the user deliberately ended the session here. */
export function forgetSignedIn(): void {
  ended = false;
  removeLocal(SIGNED_IN_KEY);
  forgetSession();
}

/** Drops this tab's outdated cache after another tab signed out. */
export function endSession(): void {
  ended = true;
  forgetSession();
}

/** Resolves with the signed-in user, or with 'second step' if a code is needed. Throws ApiError. */
export async function signIn(email: string, password: string): Promise<SessionUser | null | 'second step'> {
  const { two_factor } = await auth.signIn({ email, password });
  noteHasPassword();
  startSession();
  return two_factor ? 'second step' : currentUser();
}

/** Creates a customer's account. Resolves with null if the email must be confirmed before signing in. Throws ApiError. */
export async function signUp(input: Parameters<typeof auth.signUp>[0]): Promise<SessionUser | null> {
  await auth.signUp(input);
  startSession();
  return currentUser();
}

/**
 * Creates an account that chooses its password later. Resolves with null if the browser kept no cookie. Throws ApiError.
 */
export async function join(input: Parameters<typeof auth.join>[0]): Promise<SessionUser | null> {
  await auth.join(input);
  startSession();
  return currentUser();
}

export function homeOf(user: SessionUser): '/staff/dashboard' | '/dashboard' {
  return user.role === 'staff' ? '/staff/dashboard' : '/dashboard';
}
