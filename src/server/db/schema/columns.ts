import { customType, sql, timestamp } from '../orm.ts';

/** An instant, stored with time zone and milliseconds. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Values as a list of SQL literals. */
export const quoted = (values: readonly string[]) => sql.raw(values.map((it) => `'${it}'`).join(', '));

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
