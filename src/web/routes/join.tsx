import { createFileRoute } from '@tanstack/react-router';

/** Set on return from the payment page: 'done' if it was paid. */
type Payment = 'done' | 'back';

export const Route = createFileRoute('/join')({
  validateSearch: ({ payment }: Record<string, unknown>): { payment?: Payment } =>
    payment === 'done' || payment === 'back' ? { payment } : {},
});
