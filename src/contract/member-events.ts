import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { GET } from './base.ts';

/** An event names the kind of change, never the data; 'account' means that the account was deleted. */
export const MEMBER_EVENTS = ['pours', 'membership', 'account'] as const;
const memberEvent = z.enum(MEMBER_EVENTS);
export type MemberEvent = z.infer<typeof memberEvent>;

export const memberEvents = {
  subscribe: GET('/events', {
    summary: "Follow the signed-in member's changes",
    description:
      "As server-sent events, as they happen. The stream ends by itself after some minutes; open it again. It returns 'replaced' when newer streams took its place.",
  }).output(eventIterator(memberEvent, z.literal('replaced').optional())),
  subscribeVenue: GET('/venue-events', {
    summary: 'Follow the changes of all members',
    description: 'As server-sent events, without saying whose they are.',
  }).output(eventIterator(memberEvent, z.literal('replaced').optional())),
};
