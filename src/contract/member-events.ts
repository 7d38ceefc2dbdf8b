import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { procedure } from './base.ts';

/**
 * What can change about a member behind their back: what is said of it, never the data itself. 'account': it
 * was deleted.
 */
export const MEMBER_EVENTS = ['pours', 'membership', 'account'] as const;
export const memberEvent = z.enum(MEMBER_EVENTS);
export type MemberEvent = z.infer<typeof memberEvent>;

export const memberEvents = {
  /**
   * The signed-in customer's own changes as server-sent events, as they happen. Ends by itself after some
   * minutes and is to be opened again; 'replaced' at its end says that newer ones took its place.
   */
  subscribe: procedure
    .route({ method: 'GET', path: '/events' })
    .output(eventIterator(memberEvent, z.literal('replaced').optional())),
};
