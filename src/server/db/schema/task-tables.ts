import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** The last start of a recurring task, on any server, so that the servers share its turns. */
export const scheduled_task = pgTable('scheduled_task', {
  name: text('name').primaryKey(),
  /** The database clock's time. */
  began_at: instant('began_at').notNull(),
});
