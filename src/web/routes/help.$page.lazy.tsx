import { createLazyFileRoute } from '@tanstack/react-router';
import { HandbookArticle } from '../visitor/help/handbook-article.tsx';

export const Route = createLazyFileRoute('/help/$page')({ component: Page });

function Page() {
  const { page } = Route.useParams();
  return <HandbookArticle key={page} slug={page} />;
}
