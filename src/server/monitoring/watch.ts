import { nextAlert } from '../../domain/monitoring/alerts.ts';
import type { Alert, Check } from '../../domain/monitoring/check.ts';
import { isSystemWell } from '../../domain/monitoring/system-checks.ts';
import { listOwners } from '../auth/team/permissions.ts';
import { eq } from '../db/orm.ts';
import { system_alert } from '../db/schema.ts';
import { sendEmail } from '../mail/send-email.ts';
import { alertEmails } from './alert-emails.ts';
import type { MonitoringContext } from './monitoring-context.ts';
import { readChecks } from './system-status.ts';

/**
 * Emails the owners about what is wrong, and calls the heartbeat while nothing is. Every server watches for itself, since
 * each has its own disk and connections; the rows of system_alert keep their emails apart.
 */
export async function watchSystem(ctx: MonitoringContext): Promise<void> {
  await ctx.certificate?.check();
  const checks = await readChecks(ctx, ctx.now());
  // Without a mail server, emails would pile up for the day that one is set.
  if (ctx.outbox.sends)
    for (const check of checks) if (check.alert) await raiseAlert(ctx, check, check.alert);
  if (isSystemWell(checks)) await ctx.heartbeat?.call();
}

async function raiseAlert(ctx: MonitoringContext, check: Check, alert: Alert): Promise<void> {
  const { cause } = alert;
  const now = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const ofCause = eq(system_alert.cause, cause);
    // The cause's row comes first, so that of two servers one waits.
    const rows = await tx
      .insert(system_alert)
      .values({ cause, began_at: now, seen_at: now })
      .onConflictDoNothing()
      .returning();
    const [row] = await tx.select().from(system_alert).where(ofCause).for('update');
    const { send, ...next } = nextAlert(rows.length > 0 ? null : (row ?? null), alert, now);
    await tx.update(system_alert).set(next).where(ofCause);
    if (!send) return;
    const email = alertEmails.system_alert.about({ check, since: alert.since ?? next.began_at });
    for (const user_id of await listOwners(tx)) {
      await sendEmail(ctx, tx, { user_id, cause: `alert:${cause}:${now.toISOString()}:${user_id}`, email });
    }
  });
}
