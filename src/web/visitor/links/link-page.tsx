import { useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';

/** The part of a link after #, which reaches neither the server's log nor another site. */
export const useLinkSecret = (): string => useLocation({ select: ({ hash }) => hash });

/** The page behind a link, made again for each link opened in the same tab. `token` is empty without one. */
export const linkPage = (Page: ComponentType<{ token: string }>) =>
  function LinkPage() {
    const token = useLinkSecret();
    return <Page key={token} token={token} />;
  };
