import { z } from 'zod';
import { GET, POST, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';

/** The code of a printed card. It does not expire, and stays valid until the member replaces it. */
const paperCard = z.object({ token: z.string(), issued_at: timestamp });
export type PaperCard = z.infer<typeof paperCard>;

export const paperCards = {
  getOwn: GET('/paper-cards/own', {
    summary: "Get the signed-in member's code for paper",
    description: 'Null before the first one is made.',
  }).output(paperCard.nullable()),
  issue: POST('/paper-cards', {
    summary: 'Make a code for paper',
    description: 'The same as before, if there is one.',
  })
    .input(z.strictObject({}).default({}))
    .errors(refusals('CUSTOMER_NOT_ACTIVE'))
    .output(paperCard),
  replace: POST('/paper-cards/replace', {
    summary: 'Replace the code for paper',
    description: 'Earlier codes of the member stop working. At most five times a day.',
  })
    .input(z.strictObject({}).default({}))
    .errors(refusals('CUSTOMER_NOT_ACTIVE', 'TOO_MANY_ATTEMPTS'))
    .output(paperCard),
};

export const walletPasses = {
  getApple: GET('/wallet-passes/apple', {
    summary: 'Get a pass for Apple Wallet',
    description: 'Signed; NOT_FOUND where none are made.',
  })
    .errors(refusals('NOT_FOUND', 'CUSTOMER_NOT_ACTIVE'))
    .output(z.file().mime('application/vnd.apple.pkpass')),
  linkGoogle: POST('/wallet-passes/google', {
    summary: 'Get a link to save a pass to Google Wallet',
    description: 'NOT_FOUND where none are made.',
  })
    .input(z.strictObject({}).default({}))
    .errors(refusals('NOT_FOUND', 'CUSTOMER_NOT_ACTIVE'))
    .output(z.object({ url: z.string() })),
};
