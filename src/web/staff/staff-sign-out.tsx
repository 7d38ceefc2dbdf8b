import { useRouteContext } from '@tanstack/react-router';
import { SignOutButton, type SignOutButtonProps } from '../account/sign-out-button.tsx';
import { queueLabel } from './offline-queue/payment-queue.tsx';
import { useQueuedPayments } from './offline-queue/queued-payments.ts';
import { isUse, isWaiting } from './offline-queue/queued-pour.ts';
import { useQueue } from './offline-queue/use-queue.ts';

/** Asks before signing out with queued pours: they stay on this device until the same user signs in here again. */
export function StaffSignOut({ variant, size = 'sm' }: Pick<SignOutButtonProps, 'variant' | 'size'>) {
  const userId = useRouteContext({ from: '/_staff', select: (context) => context.user.id });
  const waiting = useQueue().entries.filter((it) => it.staff_id === userId && isWaiting(it));
  const payments = useQueuedPayments().filter((it) => it.staff_id === userId && it.refused === undefined);
  const label = queueLabel(waiting, payments);
  return (
    <SignOutButton
      variant={variant}
      size={size}
      question={
        label
          ? {
              title: `${label} to be sent`,
              description: `${payments.length > 0 || waiting.some(isUse) ? 'They are' : 'These pours are'} not recorded yet. If you sign out now, they will stay on this device and be sent the next time you sign in here.`,
            }
          : undefined
      }
    />
  );
}
