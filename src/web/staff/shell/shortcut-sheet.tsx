import { Fragment } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import type { StaffPage } from './staff-pages.ts';

const isApple = () => /mac|iphone|ipad/i.test(navigator.userAgent);

export const paletteKeys = () => (isApple() ? ['⌘', 'K'] : ['Ctrl', 'K']);

const everywhere = () => [
  { keys: paletteKeys(), does: 'Find a member or a page' },
  { keys: ['/'], does: 'Go to the page’s search' },
  { keys: ['?'], does: 'Show these shortcuts' },
  { keys: ['Esc'], does: 'Close what is open' },
];
const IN_LISTS = [
  { keys: ['↑'], does: 'The row above' },
  { keys: ['↓'], does: 'The row below' },
  { keys: ['Enter'], does: 'Open it beside the list' },
];

function Keys({ title, rows }: { title: string; rows: { keys: string[]; does: string }[] }) {
  return (
    <section>
      <h3 className="mb-2 text-lg">{title}</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        {rows.map(({ keys, does }) => (
          <Fragment key={does}>
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

export function ShortcutSheet({ pages, onClose }: { pages: StaffPage[]; onClose: () => void }) {
  const goTo = pages.map(({ key, label }) => ({ keys: ['g', key], does: label }));
  return (
    <Dialog title="Keyboard Shortcuts" onClose={onClose} width="wide">
      <div className="grid gap-6 sm:grid-cols-2">
        <div className="flex flex-col gap-6">
          <Keys title="Everywhere" rows={everywhere()} />
          <Keys title="In lists" rows={IN_LISTS} />
        </div>
        <Keys title="Go to" rows={goTo} />
      </div>
    </Dialog>
  );
}
