import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_member/payment-success')({
  // The router parses a bare number as a number.
  validateSearch: ({ session_id }: Record<string, unknown>): { session_id?: string } =>
    typeof session_id === 'string' || typeof session_id === 'number'
      ? { session_id: String(session_id) }
      : {},
  beforeLoad: ({ search }) => {
    if (!search.session_id) throw redirect({ to: '/dashboard', replace: true });
  },
});
