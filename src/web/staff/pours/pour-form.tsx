import Check from 'lucide-react/icons/check';
import GlassWater from 'lucide-react/icons/glass-water';
import Wine from 'lucide-react/icons/wine';
import { useState } from 'react';
import { pourFields } from '../../../contract/forms/pour-fields.ts';
import type { PourDraft } from '../../../contract/pours.ts';
import { serviceLevel } from '../../../domain/membership/service.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useUnfinishedEntry } from '../../ui/unfinished-entry.ts';
import { useForm } from '../../ui/use-form.ts';
import { PlaceField, SetPlace } from './place-field.tsx';
import { fixedPlace } from './pour-place.ts';
import { tooManyPoursText } from './record-pour.ts';
import type { RecentGlasses } from './use-recent-glasses.ts';
import { WineTiles } from './wine-tiles.tsx';

interface PourFormProps {
  /** The member whose taste orders the wines; undefined for a guest. */
  customerId: string | undefined;
  balance: number;
  recent: RecentGlasses;
  busy: boolean;
  /** Sent without a response: only the same pour can be sent again. */
  unanswered: PourDraft | undefined;
  onPour: (draft: PourDraft) => Promise<unknown>;
}

/** Wine, quantity, place and an optional note, sent by a single button that states the number. */
export function PourForm({ customerId, balance, recent, busy, unanswered, onPour }: PourFormProps) {
  const [wineId, setWineId] = useState(unanswered?.wine_id ?? '');
  const [offered, setOffered] = useState(unanswered?.offered_water ?? false);
  const form = useForm({
    fields: pourFields,
    values: formValues(unanswered),
    onSubmit: async (draft) => {
      const more = { ...(wineId && { wine_id: wineId }), ...(offered && { offered_water: true as const }) };
      return onPour(unanswered ?? { ...draft, ...more });
    },
  });
  // The form itself knows of its fields.
  const isChosen = wineId !== '' || offered || unanswered !== undefined;
  useUnfinishedEntry(busy ? 'sending' : isChosen ? 'typed' : null);
  const [choosesPlace, setChoosesPlace] = useState(form.values.location === '');
  // A pour that was sent may already be subtracted from the balance.
  const tooMany = !unanswered && Number(form.values.quantity) > balance;
  const answerLost = unanswered !== undefined && !busy;
  const disabled = busy || unanswered !== undefined;
  const quantity = form.field('quantity');
  // Includes the glasses about to be poured.
  const glasses = recent.glasses + (Number(form.values.quantity) || 0);
  const remindOfWater = serviceLevel(glasses, recent.limits) === 'water' && !answerLost;
  return (
    <form {...form.props} className="contents">
      <Card className="flex flex-col gap-4 pinned:gap-2 pinned:px-4! pinned:py-2.5!">
        {answerLost && (
          <Notice tone="warning" role="status" title="The server did not respond">
            The pour may already be recorded. Press the button again to make sure: it will not count twice.
          </Notice>
        )}
        <div
          className={classNames(
            'grid gap-4 pinned:gap-2',
            !choosesPlace && 'grid-cols-2 pinned:gap-3 max-[359px]:grid-cols-1',
          )}
        >
          <Stepper
            label="Quantity"
            className={classNames(
              'pinned:[&_button]:w-12',
              // On a phone beside the label, so that the places are above the button.
              choosesPlace
                ? 'pinned:grid! pinned:grid-cols-[auto_1fr] pinned:items-center pinned:gap-x-5 pinned:[&>p]:col-span-2 pinned:[&_button]:h-12 pinned:[&_:is(button,input)]:min-h-12'
                : 'pinned:[&_button]:h-14 pinned:[&_:is(button,input)]:min-h-14',
            )}
            {...quantity}
            max={balance}
            error={tooMany ? tooManyPoursText(balance) : quantity.error}
            disabled={disabled}
          />
          {choosesPlace ? (
            <PlaceField field={form.field('location')} sent={unanswered?.location} disabled={disabled} />
          ) : (
            <SetPlace
              place={form.values.location}
              disabled={disabled}
              onChange={() => setChoosesPlace(true)}
            />
          )}
        </div>
        {/* Below the location: the wines arrive after the form, and would move it from under the thumb. */}
        <WineTiles customerId={customerId} value={wineId} disabled={disabled} onChange={setWineId} />
        {/* Below the fields that change it, and on a phone beside the note, so that nothing moves under the thumb. */}
        <div className="flex pinned:flex-row-reverse flex-col gap-4 pinned:gap-2">
          {remindOfWater && (
            <WaterReminder glasses={glasses} offered={offered} disabled={disabled} onChange={setOffered} />
          )}
          <TextareaField
            label="Notes"
            labelHidden
            placeholder="Notes (optional)"
            rows={1}
            className="min-w-0 flex-1 [&_textarea]:min-h-12 pinned:[&_textarea]:min-h-11"
            disabled={disabled}
            {...form.field('notes')}
          />
        </div>
      </Card>
      <ActionBar>
        <Button
          type="submit"
          size={choosesPlace ? 'lg' : 'xl'}
          block
          className="px-4! text-2xl! max-[24rem]:text-xl!"
          busy={busy}
          disabled={tooMany}
          icon={<Wine size={30} className="shrink-0" />}
        >
          {`Pour ${form.values.quantity}`.trim()}
        </Button>
      </ActionBar>
    </form>
  );
}

function formValues(sent: PourDraft | undefined) {
  const draft = sent ?? { quantity: 1, location: fixedPlace() };
  const texts = Object.entries(draft).map(([name, value]) => [name, String(value ?? '')]);
  return Object.fromEntries(texts) as Partial<Record<keyof PourDraft, string>>;
}

interface WaterReminderProps {
  /** Within two hours, including those about to be poured. */
  glasses: number;
  offered: boolean;
  disabled: boolean;
  onChange: (offered: boolean) => void;
}

function WaterReminder({ glasses, offered, disabled, onChange }: WaterReminderProps) {
  const Sign = offered ? Check : GlassWater;
  return (
    <div
      role="status"
      className="flex items-center justify-between gap-2 rounded-md bg-warning-soft py-1 pr-1 pl-3 text-sm pinned:p-0"
    >
      {/* On a phone, the card above says how many. */}
      <p className="min-w-0 pinned:sr-only font-semibold text-warning">
        {glasses} glasses within 2 hours, with this pour
      </p>
      <Button
        variant={offered ? 'primary' : 'secondary'}
        size="sm"
        className="shrink-0 pinned:min-h-11"
        aria-pressed={offered}
        disabled={disabled}
        icon={<Sign size={18} />}
        onClick={() => onChange(!offered)}
      >
        Offered Water
      </Button>
    </div>
  );
}
