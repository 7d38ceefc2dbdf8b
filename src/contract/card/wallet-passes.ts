import { z } from 'zod';
import { GET, POST } from '../base.ts';
import { refusals } from '../refusals.ts';

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
