import { z } from 'zod';
import { HEALTHS } from '../domain/monitoring/check.ts';
import { GET, timestamp } from './base.ts';

const systemStatus = z.object({
  at: timestamp,
  checks: z.array(
    z.object({
      /** Stays the same, such as 'Backup'; what does not apply here is left out. */
      name: z.string(),
      /** Null for information. */
      health: z.enum(HEALTHS).nullable(),
      text: z.string(),
      next: z.string().nullable(),
      facts: z.array(z.string()),
    }),
  ),
});
export type SystemStatus = z.infer<typeof systemStatus>;

export const system = {
  get: GET('/system', {
    summary: 'Get the state of the system',
    description:
      'A row for each part, such as Database, Payments, Email, Backup, Disk, Certificate and Clock: its health, what is so, ' +
      'and what to do next. Names and healths are for programs, texts for people.',
  }).output(systemStatus),
};
