import { refusalOf, serverMessage } from '../api/client.ts';
import { toast } from '../ui/toast.ts';

/** Refusals that trying again does not change, so that their message stands alone. */
const FINAL = ['SUBSCRIPTION_EXISTS', 'EMAIL_NOT_VERIFIED'] as const;

/** Shows why no payment page was opened. */
export function showCheckoutFailure(error: unknown): void {
  const message = serverMessage(error);
  if (message && FINAL.some((code) => refusalOf(error, code)))
    toast.error(message, { of: error, duration: Number.POSITIVE_INFINITY });
  else
    toast.error('Failed to start payment process. Please try again.', {
      description: message ?? undefined,
      of: error,
    });
}
