import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import '../styles/side-nav.css';
import type { NavItem } from './nav-bar.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

interface SideNavProps {
  brand: ReactNode;
  /** Between the brand and the pages, e.g. a button that searches. */
  top?: ReactNode;
  /** A line separates the groups. */
  groups: readonly (readonly NavItem[])[];
  foot?: ReactNode;
}

/** The main navigation at the side of a wide window, with every page. Put it and the page into `.side-shell`. */
export function SideNav({ brand, top, groups, foot }: SideNavProps) {
  return (
    <nav aria-label="Main" data-nav-bar="side" className="side-nav print-hidden">
      <div className="side-brand">{brand}</div>
      {top}
      {groups.map((items) => (
        <ul key={items[0]?.to} className="side-list">
          {items.map(({ to, label, icon: Sign, current, waiting = 0 }) => (
            <li key={to}>
              <Link
                to={to}
                // The current page is set here: by default, the link would count as current for every page below it.
                activeOptions={{ exact: true }}
                aria-current={current ? 'page' : undefined}
                className="side-link"
              >
                <Sign size={20} strokeWidth={1.75} aria-hidden="true" />
                <span className="flex-1">{label}</span>
                {waiting > 0 && (
                  <>
                    <span aria-hidden="true" className="side-count">
                      {waiting}
                    </span>
                    <VisuallyHidden>, {waiting} waiting</VisuallyHidden>
                  </>
                )}
              </Link>
            </li>
          ))}
        </ul>
      ))}
      {foot && <div className="side-foot">{foot}</div>}
    </nav>
  );
}
