import { useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { linkSecret } from '../../../domain/membership/link-fragment.ts';

/**
 * The page behind a link, made again for each link opened in the same tab. `token` is the part of the link after #, which
 * reaches neither the server's log nor another site; it is empty without one.
 */
export const linkPage = (Page: ComponentType<{ token: string }>) =>
  function LinkPage() {
    const token = useLocation({ select: ({ hash }) => linkSecret(hash) });
    return <Page key={token} token={token} />;
  };
