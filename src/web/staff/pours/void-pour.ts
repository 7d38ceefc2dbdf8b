import { api, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { toast } from '../../ui/toast.ts';

/** Rejects with VOID_NEEDS_REASON when none was given and one is needed. */
export async function voidPour(id: string, reason?: string): Promise<{ pours_balance: number }> {
  return api.pours.void({ id, reason });
}

export function voidFailed(error: unknown): void {
  logFailure('Undoing a pour', error);
  toast.error('Failed to undo pour', {
    description: serverMessage(error) ?? 'It is still recorded. Please try again when the network is back.',
  });
}
