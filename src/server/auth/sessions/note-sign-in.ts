import { and, eq, isNull } from '../../db/orm.ts';
import { profiles } from '../../db/schema.ts';
import type { AuthServices } from '../auth-context.ts';

/** Records the user's last sign-in, after the library has stored the session. privacy/retention-task.ts reads it. */
export const noteSignIn =
  ({ db, now }: Pick<AuthServices, 'db' | 'now'>) =>
  async ({ userId }: { userId: string }): Promise<void> => {
    await db
      .update(profiles)
      .set({ last_sign_in_at: now() })
      .where(and(eq(profiles.id, userId), isNull(profiles.erased_at)));
  };
