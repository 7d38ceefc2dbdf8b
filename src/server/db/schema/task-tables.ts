import { ALERT_CAUSES } from '../../../domain/monitoring/system-status.ts';
import { pgTable, text } from '../orm.ts';
import { instant } from './columns.ts';

/** The last start of a recurring task, on any server, so that the servers share its turns. */
export const scheduled_task = pgTable('scheduled_task', {
  name: text('name').primaryKey(),
  /** The database clock's time. */
  began_at: instant('began_at').notNull(),
});

/** A cause that the owners are emailed about; one row for all servers, so that an hour lies between two emails. */
export const system_alert = pgTable('system_alert', {
  cause: text('cause', { enum: ALERT_CAUSES }).primaryKey(),
  began_at: instant('began_at').notNull(),
  /** When a server last saw it. */
  seen_at: instant('seen_at').notNull(),
  sent_at: instant('sent_at'),
});
