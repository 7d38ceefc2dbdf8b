import { type FormEvent, useState } from 'react';
import { type ClubSettingsView, colorText } from '../../../../contract/staff/club.ts';
import { COLOR, colorProblem, nearestReadable } from '../../../../domain/club/colors.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { CLUB_HINTS, CLUB_LABELS } from '../club-labels.ts';
import { ClubPart, useSaveClub } from '../club-part.tsx';
import { ColorPreview } from './color-preview.tsx';

/** The product's own color, if the club has set none. */
const WINE_RED = '#6b182c';
const TITLE = CLUB_LABELS.accent;

/** The club's color, previewed light and dark before saving. An unreadable one is refused with the nearest readable one. */
export function ColorCard() {
  return <ClubPart title={TITLE}>{(view) => <ColorForm key={view.values.accent} view={view} />}</ClubPart>;
}

function ColorForm({ view }: { view: ClubSettingsView }) {
  const saved = view.values.accent ?? WINE_RED;
  const [typed, setTyped] = useState(saved);
  const { save, busy, failure, fail } = useSaveClub(view);
  const color = typed.trim().toLowerCase();
  const isColor = COLOR.test(color);
  const unreadable = isColor ? colorProblem(color) : null;
  const change = (text: string) => {
    fail('');
    setTyped(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || !isColor || unreadable) return;
    void save({ changes: { accent: color } }, 'The color was saved. Open pages will offer to reload');
  };
  return (
    <Card title={TITLE}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <div className="flex items-start gap-3">
          <TextField
            label="Hex Code"
            hint={`${CLUB_HINTS.accent} As #rrggbb.`}
            className="min-w-0 flex-1"
            maxLength={7}
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            error={(isColor ? colorText(color) : 'Enter a color such as #6b182c.') ?? undefined}
            onChange={({ target }) => change(target.value)}
          />
          <input
            type="color"
            aria-label="Choose a color"
            className="mt-7 h-12 w-14 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface-raised p-1"
            value={isColor ? color : saved}
            onChange={({ target }) => change(target.value)}
          />
        </div>
        {unreadable && (
          <Button
            variant="quiet"
            size="sm"
            className="-mx-3 self-start"
            onClick={() => change(unreadable.nearest)}
          >
            Use {unreadable.nearest}
          </Button>
        )}
        <ColorPreview color={nearestReadable(isColor ? color : saved)} />
        <FormError of={failure} />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            disabled={!isColor || unreadable !== null || color === saved}
            busy={busy}
            busyLabel="Saving..."
          >
            Save Color
          </Button>
          {view.values.accent && (
            <Button
              variant="quiet"
              onClick={() => void save({ reset: ['accent'] }, 'The color is wine red again')}
            >
              Reset Color
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
