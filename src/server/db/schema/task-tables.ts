import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** When a recurring task last began, on whichever server: each takes a turn only when it is due for all of them. */
export const scheduled_task = pgTable('scheduled_task', {
  name: text('name').primaryKey(),
  /** By the database's clock. */
  began_at: instant('began_at').notNull(),
});
