import type { LucideIcon } from 'lucide-react';
import Meh from 'lucide-react/icons/face-neutral';
import Frown from 'lucide-react/icons/face-slightly-frowning';
import Smile from 'lucide-react/icons/face-slightly-smiling';
import { VERDICT_LABELS, VERDICTS, type Verdict } from '../../../domain/taste.ts';
import { classNames } from '../../ui/class-names.ts';

const FACES: Record<Verdict, LucideIcon> = { loved: Smile, fine: Meh, not_mine: Frown };

interface VerdictFacesProps {
  value: Verdict | null;
  disabled: boolean;
  onChoose: (verdict: Verdict) => void;
}

export function VerdictFaces({ value, disabled, onChoose }: VerdictFacesProps) {
  return (
    <div className="grid grid-cols-3 gap-2">
      {VERDICTS.map((verdict) => {
        const Face = FACES[verdict];
        return (
          <button
            key={verdict}
            type="button"
            aria-pressed={value === verdict}
            disabled={disabled}
            onClick={() => onChoose(verdict)}
            className={classNames(
              'flex min-h-16 flex-col items-center justify-center gap-1 rounded-md border px-2 py-2 text-sm',
              value === verdict
                ? 'border-accent bg-accent-soft font-semibold text-accent-text'
                : 'border-line-strong bg-surface-raised hover:border-ink',
            )}
          >
            <Face size={26} strokeWidth={1.75} aria-hidden="true" />
            {VERDICT_LABELS[verdict]}
          </button>
        );
      })}
    </div>
  );
}
