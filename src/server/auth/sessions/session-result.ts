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

export interface SessionResult {
  signedIn: { session_id: string; user: SessionUser } | null;
  /** Cookies that renew the cached session, or remove what is no longer valid. */
  cookies: string[];
}
