import { Minus, Plus, Wine } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { LOCATION_OPTIONS } from './location-options.ts';
import type { QuickPour as QuickPourDraft } from './quick-pour-defaults.ts';
import { loadQuickPour, saveQuickPour, withinBalance } from './quick-pour-defaults.ts';

interface QuickPourProps {
  balance: number;
  busy: boolean;
  onPour: (draft: QuickPourDraft) => void;
}

const step =
  'grid size-14 shrink-0 place-items-center rounded-md border border-line-strong bg-surface text-ink hover-ready:border-ink disabled:opacity-40';

/** Records a pour with one tap. The button says what it pours; this device remembers the choice. */
export function QuickPour({ balance, busy, onPour }: QuickPourProps) {
  const [chosen, setChosen] = useState(loadQuickPour);
  const choice = withinBalance(chosen, balance);
  const empty = balance < 1;
  const choose = (change: Partial<QuickPourDraft>) => {
    const next = { ...choice, ...change };
    setChosen(next);
    saveQuickPour(next);
  };
  return (
    <div className="flex flex-col gap-3">
      <Button
        size="xl"
        block
        className="min-h-28! text-3xl!"
        busy={busy}
        disabled={empty}
        icon={<Wine size={34} aria-hidden="true" />}
        onClick={() => onPour(choice)}
      >
        Pour {choice.quantity}
      </Button>
      <div className="flex min-h-14 items-center gap-2">
        {empty ? (
          <p className="flex-1 text-center font-medium">No pours left in this billing period</p>
        ) : (
          <>
            <button
              type="button"
              aria-label="Fewer glasses"
              className={step}
              disabled={busy || choice.quantity <= 1}
              onClick={() => choose({ quantity: choice.quantity - 1 })}
            >
              <Minus size={24} aria-hidden="true" />
            </button>
            <button
              type="button"
              aria-label="More glasses"
              className={step}
              disabled={busy || choice.quantity >= balance}
              onClick={() => choose({ quantity: choice.quantity + 1 })}
            >
              <Plus size={24} aria-hidden="true" />
            </button>
            <SelectField
              label="Where"
              labelHidden
              className="min-w-0 flex-1 [&_select]:min-h-14"
              options={LOCATION_OPTIONS}
              value={choice.location}
              disabled={busy}
              onChange={(event) => choose({ location: event.target.value as QuickPourDraft['location'] })}
            />
          </>
        )}
      </div>
    </div>
  );
}
