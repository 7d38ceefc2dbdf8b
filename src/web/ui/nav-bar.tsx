import { Link, type LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import '../styles/nav-bar.css';

export interface NavItem {
  to: NonNullable<LinkProps['to']>;
  label: string;
  /** Read after the label, if the label alone does not explain the link. */
  more?: string | undefined;
  icon: LucideIcon;
  /** This page, or one below it, is on screen. */
  current: boolean;
  /** A number shown beside the label if above 0, and read as '3 waiting'. */
  waiting?: number | undefined;
}

interface NavBarProps {
  /** Null until the links are known: the bar already shows, so that nothing moves. */
  items: readonly NavItem[] | null;
  brand: ReactNode;
  /** `wide`: not on a phone, for a page with its own action pinned there. `upright`: not on a phone in landscape. */
  shown?: 'everywhere' | 'upright' | 'wide';
}

const MOST = 99;

/** The main navigation: at the bottom of a phone, at its side in landscape, at the top of wider windows. */
export function NavBar({ items, brand, shown = 'everywhere' }: NavBarProps) {
  return (
    <nav aria-label="Main" data-nav-bar={shown} className="nav-bar print-hidden">
      <div className="nav-room">
        <div className="nav-brand">{brand}</div>
        <ul className="nav-list">
          {items?.map(({ to, label, more, icon: Sign, current, waiting = 0 }) => (
            <li key={to}>
              <Link
                to={to}
                // Otherwise the link would also be current on pages below its address.
                activeOptions={{ exact: true }}
                aria-current={current ? 'page' : undefined}
                className="nav-link"
              >
                <span className="nav-sign">
                  <Sign size={22} strokeWidth={1.75} aria-hidden="true" />
                  {waiting > 0 && (
                    <span aria-hidden="true" className="nav-count">
                      {waiting > MOST ? `${MOST}+` : waiting}
                    </span>
                  )}
                </span>
                {label}
                {more && <span className="sr-only"> {more}</span>}
                {waiting > 0 && <span className="sr-only">, {waiting} waiting</span>}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
