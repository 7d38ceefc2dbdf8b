import { Link } from '@tanstack/react-router';
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';
import '../styles/side-nav.css';
import type { NavItem } from './nav-bar.tsx';

interface SideNavItem extends NavItem {
  /** Belongs to the entry before it. */
  inset?: boolean;
}

interface SideNavProps {
  brand: ReactNode;
  top?: ReactNode;
  items: readonly SideNavItem[];
  /** At the foot of the window, with `foot` below them. */
  footItems: readonly SideNavItem[];
  foot?: ReactNode;
}

/** The main navigation at the side of a wide window. Put it and the page into `.side-shell`. */
export function SideNav({ brand, top, items, footItems, foot }: SideNavProps) {
  return (
    <nav aria-label="Main" data-nav-bar="side" className="side-nav print-hidden">
      <div className="side-brand">{brand}</div>
      {top}
      <SideList items={items} />
      <div className="side-foot">
        <SideList items={footItems} />
        {foot}
      </div>
    </nav>
  );
}

interface ListNavProps {
  label: string;
  groups: readonly {
    label: string;
    items: readonly SideNavItem[];
    /** Opens by a press; open where one of its pages is on screen. */
    closed: boolean;
  }[];
}

/** The pages of one entry of a <SideNav>, in a column of their own beside the page. */
export function ListNav({ label, groups }: ListNavProps) {
  return (
    <nav aria-label={label} className="list-nav print-hidden">
      <div>
        {groups.map(({ label: head, items, closed }) =>
          closed ? (
            <details key={head} open={items.some(({ current }) => current)}>
              <summary className="eyebrow target flex cursor-pointer items-center gap-1.5 px-3 text-brass-text">
                {head}
                <ChevronDown size={16} aria-hidden="true" />
              </summary>
              <SideList items={items} />
            </details>
          ) : (
            <div key={head} className="pb-3">
              <p className="eyebrow px-3 pb-1 text-brass-text">{head}</p>
              <SideList items={items} />
            </div>
          ),
        )}
      </div>
    </nav>
  );
}

function SideList({ items }: { items: readonly SideNavItem[] }) {
  return (
    <ul>
      {items.map(({ to, label, icon: Sign, current, waiting = 0, inset }) => (
        <li key={to}>
          <Link
            to={to}
            // The current page is set here: by default, the link would count as current for every page below it.
            activeOptions={{ exact: true }}
            aria-current={current ? 'page' : undefined}
            className="side-link"
            data-inset={inset || undefined}
          >
            {!inset && <Sign size={20} strokeWidth={1.75} aria-hidden="true" />}
            <span className="flex-1">{label}</span>
            {waiting > 0 && (
              <>
                <span aria-hidden="true" className="side-count">
                  {waiting}
                </span>
                <span className="sr-only">, {waiting} waiting</span>
              </>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
