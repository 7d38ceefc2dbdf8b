import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/_member/gift/')({
  validateSearch: ({ paid }: Record<string, unknown>): { paid?: string } =>
    typeof paid === 'string' ? { paid } : {},
});
