import type { AuditedAct } from '../../domain/staff/audit.ts';
import { UNKNOWN_DEVICE } from '../../domain/staff/device-name.ts';
import { toStoredAct, toStoredFacts } from '../../domain/staff/stored-audit.ts';
import type { Tx } from '../db/client.ts';
import { audit_entry } from '../db/schema.ts';
import type { Actor } from '../platform/actor.ts';

/** The operator on the server's host. The commands can do anything, so no user is named. */
export const COMMAND_LINE = 'command line';
/** A scheduled task: nobody asked for the act. */
export const AUTOMATIC = 'automatic';
export const DEVICES = { [COMMAND_LINE]: 'Command line', [AUTOMATIC]: 'Automatic' };

export interface AuditContext {
  /** The acting user. Verbs that answer a call get it from the session, commands pass COMMAND_LINE, tasks AUTOMATIC. */
  actor: Actor | keyof typeof DEVICES;
  now(): Date;
  newId(): string;
}

/** Records an act in the transaction that does it: both are committed, or neither. docs/rules/staff.md, "The audit". */
export async function recordAudit(
  tx: Tx,
  { actor, now, newId }: AuditContext,
  { act, subject_id, facts }: AuditedAct,
): Promise<void> {
  const author =
    typeof actor === 'string'
      ? { actor_id: null, device: DEVICES[actor] }
      : { actor_id: actor.user_id, device: actor.device ?? UNKNOWN_DEVICE };
  await tx.insert(audit_entry).values({
    id: newId(),
    at: now(),
    ...author,
    act: toStoredAct(act),
    subject_id,
    facts: toStoredFacts(facts),
  });
}
