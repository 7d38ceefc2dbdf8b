import { createLazyFileRoute } from '@tanstack/react-router';
import { GiftPage } from '../../member/gifts/gift-page.tsx';

export const Route = createLazyFileRoute('/_member/gift/')({ component: Gifts });

function Gifts() {
  const { user } = Route.useRouteContext();
  return <GiftPage paid={Route.useSearch().paid} user={user} />;
}
