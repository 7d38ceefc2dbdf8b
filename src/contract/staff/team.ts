import { z } from 'zod';
import { STAFF_PERMISSIONS } from '../../domain/staff-permission.ts';
import { id, procedure, timestamp } from '../base.ts';

const teamMember = z.object({
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  permissions: z.array(z.enum(STAFF_PERMISSIONS)),
  /** Two-step sign-in is on. */
  two_factor: z.boolean(),
  /** When one of their devices last used the product, to within a day; null while none is signed in. */
  last_seen_at: timestamp.nullable(),
});
export type TeamMember = z.infer<typeof teamMember>;

export const team = {
  /** Who manages staff: all staff, by name. */
  list: procedure.route({ method: 'GET', path: '/team' }).output(z.array(teamMember)),
};
