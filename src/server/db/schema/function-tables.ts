import { pgTable, text } from '../orm.ts';
import { instant } from './columns.ts';

/** The version of each file in db/functions that this database has, so that a changed one is applied again. */
export const schema_functions = pgTable('schema_functions', {
  name: text('name').primaryKey(),
  /** SHA-256 of the file's text, in hexadecimal. */
  sha256: text('sha256').notNull(),
  applied_at: instant('applied_at').notNull().defaultNow(),
});
