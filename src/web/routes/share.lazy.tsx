import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { readLinkFragment } from '../../domain/membership/link-fragment.ts';
import { readOpenedLink } from '../api/opened-link.ts';
import { SharePage } from '../visitor/share-page.tsx';

export const Route = createLazyFileRoute('/share')({ component: Share });

function Share() {
  // Still in the URL if the browser stores nothing.
  const inUrl = useLocation({ select: ({ hash }) => readLinkFragment(hash).secret });
  const token = readOpenedLink('/share')?.secret ?? inUrl;
  return <SharePage key={token} token={token} />;
}
