import { z } from 'zod';
import { procedure } from '../base.ts';
import { refusals } from '../refusals.ts';

export const walletPasses = {
  /** The signed-in member's pass for Apple Wallet, signed; NOT_FOUND where none are made. */
  getApple: procedure
    .route({ method: 'GET', path: '/wallet-passes/apple' })
    .errors(refusals('NOT_FOUND', 'CUSTOMER_NOT_ACTIVE'))
    .output(z.file().mime('application/vnd.apple.pkpass')),
  /** Where the signed-in member saves their pass to Google Wallet; NOT_FOUND where none are made. */
  linkGoogle: procedure
    .route({ method: 'POST', path: '/wallet-passes/google' })
    .input(z.strictObject({}).default({}))
    .errors(refusals('NOT_FOUND', 'CUSTOMER_NOT_ACTIVE'))
    .output(z.object({ url: z.string() })),
};
