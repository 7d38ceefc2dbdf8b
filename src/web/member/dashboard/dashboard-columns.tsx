import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';

interface DashboardColumnsProps {
  card: ReactNode;
  glasses: ReactNode;
  /**
   * Reminders, which may arrive late: below everything on a phone and a large screen, below the card elsewhere, so that
   * nothing moves.
   */
  children?: ReactNode;
  /** The glasses take so much height that even a large screen has reminders below the card. */
  tall?: boolean;
}

export function DashboardColumns({ card, glasses, children, tall = false }: DashboardColumnsProps) {
  return (
    <div
      className={classNames(
        'grid items-start gap-5 sm:gap-6 md:grid-cols-2 md:grid-rows-[auto_1fr]',
        // Both columns end at the same height: the card and the glasses grow above the buttons.
        !tall && 'lg:items-stretch',
      )}
    >
      <div className="flex flex-col gap-4">{card}</div>
      <div className={classNames('flex flex-col gap-4', tall ? 'md:row-span-2' : 'md:max-lg:row-span-2')}>
        {glasses}
      </div>
      {children && (
        <div className={classNames('flex flex-col gap-4 empty:hidden', !tall && 'lg:col-span-2')}>
          {children}
        </div>
      )}
    </div>
  );
}

export function ResetsNote({ children }: { children: ReactNode }) {
  return (
    <>
      Resets on your monthly billing date
      <span className="block text-ink">{children}</span>
    </>
  );
}
