import { z } from 'zod';
import { id, POST, PUT, text } from '../base.ts';
import { refusals } from '../refusals.ts';
import { memberImport } from './imports.ts';

const ofImport = z.strictObject({ id });

/** Subscriptions of the connected Stripe account, taken over as memberships. Calls for imports read their rows. */
export const adoptions = {
  create: POST('/adoptions', {
    successStatus: 201,
    summary: 'Look at the subscriptions at Stripe',
    description: 'In the background: reads them, and reports what taking over each would do.',
  })
    .errors(refusals('IMPORT_OPEN', 'PAYMENTS_OFF'))
    .output(memberImport),
  check: PUT('/adoptions/{id}/tiers', {
    summary: 'Choose the tiers of the prices',
    description:
      'Of all that were found, by their ids; null for one that is no membership. Checks every row again.',
  })
    .input(ofImport.extend({ tiers: z.record(text(255), text(50).nullable()) }))
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED', 'IMPORT_MAPPING'))
    .output(memberImport),
  start: POST('/adoptions/{id}/start', {
    summary: 'Take the subscriptions over',
    description: 'In the background. Nobody is charged, and nobody gets an email.',
  })
    .input(ofImport)
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED'))
    .output(memberImport),
  undo: POST('/adoptions/{id}/undo', {
    summary: 'Give the subscriptions back',
    description: 'In the background: those not used since. They continue at Stripe.',
  })
    .input(ofImport)
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED', 'IMPORT_OPEN'))
    .output(memberImport),
};
