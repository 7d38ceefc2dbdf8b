export type Role = 'customer' | 'staff';

/** The signed-in user a verb acts for; the role is null when the account has none. */
export interface Actor {
  user_id: string;
  role: Role | null;
  /** The request's device in the audit, such as 'Chrome on Android'; absent outside of requests. */
  device?: string;
  /** The shared tablet in use; absent on other devices. */
  bar_device_id?: string;
  /** The session or API client of the call; absent outside of calls. */
  session_id?: string;
  api_client?: boolean;
  /** Present if the session was not read for this call: the verb's statement checks that it still stands. */
  remembered_session?: RememberedSession;
}

export interface RememberedSession {
  id: string;
  user_id: string;
  role: Role | null;
  two_factor: boolean;
  /** Longest time since its use was last recorded, in seconds; recording requires a call that reads the session. */
  recorded_within: number;
}

/** A remembered session has ended or changed. Nothing was done; the call starts again, with the current session. */
export class SessionChangedError extends Error {
  constructor() {
    super('The session is not as it was remembered');
    this.name = 'SessionChangedError';
  }
}
