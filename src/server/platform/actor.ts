export type Role = 'customer' | 'staff';

/** The signed-in user a verb acts for; the role is null when the account has none. */
export interface Actor {
  user_id: string;
  role: Role | null;
  /** What the audit calls the device of the request, such as 'Chrome on Android'; absent outside of one. */
  device?: string;
  /** The shared tablet on which they act; absent anywhere else. */
  bar_device_id?: string;
  /** The session of the call, or the API client; absent outside of one. */
  session_id?: string;
  /** True for an API client. */
  api_client?: boolean;
  /** Present where the session was not read for this call: the statement of the verb checks that it still stands. */
  remembered_session?: RememberedSession;
}

/** What was read of a session in an earlier call. */
export interface RememberedSession {
  id: string;
  user_id: string;
  role: Role | null;
  two_factor: boolean;
  /** Its use is recorded when that was done this long ago (seconds), which takes a call that reads the session. */
  recorded_within: number;
}

/** A remembered session has ended, or is another now. Nothing was done; the call begins again, with the session as it is. */
export class SessionChangedError extends Error {
  constructor() {
    super('The session is not as it was remembered');
    this.name = 'SessionChangedError';
  }
}
