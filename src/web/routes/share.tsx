import { createFileRoute, useLocation } from '@tanstack/react-router';
import { keptShareToken } from '../visitor/share/kept-share.ts';
import { SharePage } from '../visitor/share/share-page.tsx';

export const Route = createFileRoute('/share')({ component: Share });

function Share() {
  // After the #, where it reaches neither the server's log nor another site; kept for the return from sign-in.
  const token = useLocation({ select: ({ hash }) => hash });
  const kept = keptShareToken(token);
  return <SharePage key={kept} token={kept} />;
}
