export type Role = 'customer' | 'staff';

/** The signed-in user a verb acts for; the role is null when the account has none. */
export interface Actor {
  user_id: string;
  role: Role | null;
  /** What the audit calls the device of the request, such as 'Chrome on Android'; absent outside of one. */
  device?: string;
  /** The shared tablet on which they act; absent anywhere else. */
  bar_device_id?: string;
}
