import { api } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { failureToast } from '../../ui/toast.ts';

/** Rejects with VOID_NEEDS_REASON if a reason is required and missing. */
export function voidPour(id: string, reason?: string): Promise<{ pours_balance: number }> {
  return api.pours.void({ id, reason });
}

export function showVoidFailure(error: unknown): void {
  logFailure('Undoing a pour', error);
  failureToast('Failed to undo pour', 'It is still recorded. Try again when you’re back online.')(error);
}
