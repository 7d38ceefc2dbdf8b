export interface SessionUser {
  id: string;
  email: string;
  email_verified: boolean;
  first_name: string;
  last_name: string;
  phone: string | null;
  role: 'customer' | 'staff' | null;
  two_factor: boolean;
}

export interface BarDeviceFacts {
  id: string;
  name: string;
  /** Without use for this long, the tablet asks for a PIN again. */
  idle_minutes: number;
}

export interface SessionResult {
  signedIn: {
    session_id: string;
    user: SessionUser;
    /** The shared tablet where the user entered their PIN; absent for every other session. */
    bar_device?: BarDeviceFacts;
  } | null;
  /** The shared tablet that the request comes from; absent for any other browser. */
  tablet?: BarDeviceFacts;
  /** Cookies that extend a session, or remove one that ended. */
  cookies: string[];
}
