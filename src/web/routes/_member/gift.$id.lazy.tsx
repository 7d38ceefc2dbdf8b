import { createLazyFileRoute } from '@tanstack/react-router';
import { GiftCardPage } from '../../member/gifts/gift-card-page.tsx';

export const Route = createLazyFileRoute('/_member/gift/$id')({ component: GiftCard });

function GiftCard() {
  return <GiftCardPage id={Route.useParams().id} />;
}
