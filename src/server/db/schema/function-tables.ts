import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** Which text of each file in db/functions this database has, so that a changed one is applied again. */
export const schema_functions = pgTable('schema_functions', {
  /** The file's name, such as 'record-pour.sql'. */
  name: text('name').primaryKey(),
  /** Of the file's text, in hexadecimal. */
  sha256: text('sha256').notNull(),
  applied_at: instant('applied_at').notNull().defaultNow(),
});
