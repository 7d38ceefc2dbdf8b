import type { ReactNode } from 'react';

/** The columns of the member's dashboard: the card with its button, and the glasses left with related content. */
export function DashboardColumns({ card, glasses }: { card: ReactNode; glasses: ReactNode }) {
  return (
    <div className="grid items-start gap-5 sm:gap-6 md:grid-cols-2">
      <div className="flex flex-col gap-4">{card}</div>
      <div className="flex flex-col gap-4">{glasses}</div>
    </div>
  );
}

/** The usual note below the glasses; `children` is the date, or what ends then. */
export function ResetsNote({ children }: { children: ReactNode }) {
  return (
    <>
      Resets on your monthly billing date
      <span className="block text-ink">{children}</span>
    </>
  );
}
