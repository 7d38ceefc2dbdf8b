import { customType, timestamp } from '../orm.ts';

/** An instant, stored with time zone and milliseconds. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
