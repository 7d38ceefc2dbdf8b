import { createFileRoute } from '@tanstack/react-router';
import { GiftPage } from '../../member/gifts/gift-page.tsx';

export const Route = createFileRoute('/_member/gift/')({
  validateSearch: ({ paid }: Record<string, unknown>): { paid?: string } =>
    typeof paid === 'string' ? { paid } : {},
  component: Gifts,
});

function Gifts() {
  return <GiftPage paid={Route.useSearch().paid} />;
}
