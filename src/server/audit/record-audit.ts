import type { AuditedAct } from '../../domain/staff/audit.ts';
import type { Tx } from '../db/client.ts';
import { audit_entry } from '../db/schema.ts';
import type { Actor } from '../platform/actor.ts';

/** The operator on the server's host. The commands can do anything, so no user is named. */
export const COMMAND_LINE = 'command line';

export interface AuditContext {
  /** The acting user. Verbs that answer a call get it from the session, commands pass COMMAND_LINE. */
  actor: Actor | typeof COMMAND_LINE;
  now(): Date;
  newId(): string;
}

/** Records an act in the transaction that does it: both are committed, or neither. docs/rules/staff.md, "The audit". */
export async function recordAudit(
  tx: Tx,
  { actor, now, newId }: AuditContext,
  { act, subject_id, facts }: AuditedAct,
): Promise<void> {
  const who =
    actor === COMMAND_LINE
      ? { actor_id: null, device: 'Command line' }
      : { actor_id: actor.user_id, device: actor.device ?? 'Unknown device' };
  await tx
    .insert(audit_entry)
    .values({ id: newId(), at: now(), ...who, act, subject_id, facts: { ...facts } });
}
