import type { Db, Tx } from '../../db/client.ts';
import { and, eq, sql } from '../../db/orm.ts';
import { refresh_tokens } from '../../db/schema.ts';

/** Minutes for which an app session's proof counts for changes of the second factor. */
const PROOF_MINUTES = 10;

const COLUMNS = { password: refresh_tokens.first_factor_at, code: refresh_tokens.second_factor_at };

/**
 * Whether an app's session proved this in the last minutes. Refreshing its tokens proves nothing.
 * Never true for a browser's session: docs/security.md, "Stolen tokens".
 */
export async function provedLately(db: Db, session_id: string, what: keyof typeof COLUMNS): Promise<boolean> {
  // A time in the future comes from a wrong clock.
  const lately = sql`${COLUMNS[what]} between now() - make_interval(mins => ${PROOF_MINUTES}) and now()`;
  return (await db.$count(refresh_tokens, and(eq(refresh_tokens.session_id, session_id), lately))) > 0;
}

/** Notes that the session proved the second factor now. */
export async function noteCode(tx: Tx, session_id: string): Promise<void> {
  await tx
    .update(refresh_tokens)
    .set({ second_factor_at: sql`now()` })
    .where(eq(refresh_tokens.session_id, session_id));
}
