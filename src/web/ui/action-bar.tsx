import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The last part of a <PageShell pinned>, at the bottom of a phone. Floating elements stay above it (styles/parts.css). */
export function ActionBar({ tall, children }: { tall?: boolean; children: ReactNode }) {
  return (
    <div
      data-action-bar={tall ? 'tall' : 'short'}
      className={classNames(
        tall && 'lg:py-0',
        'sticky max-lg:order-last lying:fixed lying:right-0 bottom-0 lying:left-1/2 z-30 pinned:-mx-5 lying:mx-0! lying:pr-[max(2rem,env(safe-area-inset-right))] lying:pl-1.5 pinned:mt-auto flex flex-col gap-3 pinned:border-line pinned:border-t bg-background pinned:px-5 py-3 pinned:pb-[max(var(--bar-edge),env(safe-area-inset-bottom))] pinned:pt-(--bar-edge) [--bar-edge:0.75rem] short:[--bar-edge:0.5rem] lying:[--bar-edge:0.5rem]',
      )}
    >
      {children}
    </div>
  );
}
