import type { ReactNode } from 'react';
import { site } from '../api/site.ts';

interface SupportLinkProps {
  subject?: string;
  children?: ReactNode;
}

/** A link for email to the venue's support address. */
export function SupportLink({ subject, children = site.support_email }: SupportLinkProps) {
  const query = subject ? `?subject=${encodeURIComponent(subject)}` : '';
  return (
    <a href={`mailto:${site.support_email}${query}`} className="link">
      {children}
    </a>
  );
}
