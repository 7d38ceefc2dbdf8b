import type { ReactNode } from 'react';
import { site } from '../api/site.ts';

interface SupportLinkProps {
  subject?: string;
  children?: ReactNode;
}

export function SupportLink({ subject, children = site.support_email }: SupportLinkProps) {
  const query = subject ? `?subject=${encodeURIComponent(subject)}` : '';
  return (
    <a href={`mailto:${site.support_email}${query}`} className="link">
      {children}
    </a>
  );
}
