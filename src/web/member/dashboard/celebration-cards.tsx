import { useState } from 'react';
import type { Celebrated } from '../../../contract/members.ts';
import { readLocal, writeLocal } from '../../api/local-storage.ts';
import { celebrationForMember } from '../../format/celebration-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';

const KEY = 'cellar-door:celebrated';

interface CelebrationCardsProps {
  userId: string;
  celebrations: Celebrated[];
}

/** A greeting on the day; a dismissed one does not return on this device. */
export function CelebrationCards({ userId, celebrations }: CelebrationCardsProps) {
  const nameOf = ({ occasion }: Celebrated) => `${userId} ${occasion}`;
  const [dismissed, setDismissed] = useState(() => {
    const kept = readLocal(KEY);
    return Array.isArray(kept) ? kept : [];
  });
  // Stores only today's, so that the list never grows.
  const dismiss = (one: Celebrated) => {
    const next = celebrations.map(nameOf).filter((name) => name === nameOf(one) || dismissed.includes(name));
    writeLocal(KEY, next);
    setDismissed(next);
  };
  return celebrations
    .filter((one) => !dismissed.includes(nameOf(one)))
    .map((one) => {
      const { title, text } = celebrationForMember(one);
      return (
        <Notice key={one.occasion} tone="positive">
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <h2 className="font-semibold font-text text-base tracking-normal">{title}</h2>
              <p>{text}</p>
            </div>
            <IconButton
              className="-my-2.5 -mr-3 shrink-0"
              label="Dismiss"
              icon={<Icon shape="cross" />}
              onClick={() => dismiss(one)}
            />
          </div>
        </Notice>
      );
    });
}
