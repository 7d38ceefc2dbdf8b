import type { ComponentProps, MouseEvent } from 'react';

/** Opens another page of the app, by its URL without the origin. */
export type OpenPage = (href: string, options?: { replace?: boolean }) => Promise<unknown>;

interface PageLinkProps extends ComponentProps<'a'> {
  href: string;
  open: OpenPage;
}

/** For pages that are also shown without the router, whose own links do not work there. */
export function PageLink({ href, open, children, ...rest }: PageLinkProps) {
  const follow = (event: MouseEvent) => {
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.button !== 0 || elsewhere || event.defaultPrevented) return;
    event.preventDefault();
    void open(href);
  };
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}
