import formRules from 'virtual:form-rules';
import Check from 'lucide-react/icons/check';
import GlassWater from 'lucide-react/icons/glass-water';
import Wine from 'lucide-react/icons/wine';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { PourDraft } from '../../../contract/pours.ts';
import { serviceLevel } from '../../../domain/membership/service.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { loadPlace, placeLabel, placeOptions } from './pour-place.ts';
import { tooManyPoursText } from './record-pour.ts';
import type { RecentGlasses } from './use-recent-glasses.ts';
import { WineTiles } from './wine-tiles.tsx';

/** Place buttons that fit in one row on a phone. */
const MOST_PLACES = 4;

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

/** Wine, quantity, place and an optional note, sent by a single button that states the pour. */
export function PourForm({ customerId, balance, recent, busy, unanswered, onPour }: PourFormProps) {
  const [wineId, setWineId] = useState(unanswered?.wine_id ?? '');
  const [offered, setOffered] = useState(unanswered?.offered_water ?? false);
  const form = useForm({
    rules: formRules.recordPour,
    values: formValues(unanswered),
    onSubmit: async (draft) => {
      const more = { ...(wineId && { wine_id: wineId }), ...(offered && { offered_water: true as const }) };
      return onPour(unanswered ?? { ...draft, ...more });
    },
  });
  // A pour that was sent may already be subtracted from the balance.
  const tooMany = !unanswered && Number(form.values.quantity) > balance;
  const answerLost = unanswered !== undefined && !busy;
  const disabled = busy || unanswered !== undefined;
  const quantity = form.field('quantity');
  // Includes the glasses about to be poured.
  const glasses = recent.glasses + (Number(form.values.quantity) || 0);
  const remindOfWater = serviceLevel(glasses, recent.limits) === 'water' && !answerLost;
  const choosesPlace =
    !form.values.location && !disabled && !tooMany && placeOptions(undefined).length <= MOST_PLACES;
  return (
    <form {...form.props} className="contents">
      <Card className="flex flex-col gap-4 pinned:gap-2 pinned:px-4! pinned:py-2.5!">
        {answerLost && (
          <Notice tone="warning" role="status" title="The server did not respond">
            The pour may already be recorded. Press the button again to make sure: it will not count twice.
          </Notice>
        )}
        <WineTiles customerId={customerId} value={wineId} disabled={disabled} onChange={setWineId} />
        <div className="grid lying:order-first grid-cols-2 gap-3 max-[359px]:grid-cols-1">
          <Stepper
            label="Quantity"
            className="pinned:[&_button]:w-12 pinned:[&_:is(button,input)]:min-h-14 pinned:[&_button]:h-14"
            {...quantity}
            max={balance}
            error={tooMany ? tooManyPoursText(balance) : quantity.error}
            disabled={disabled}
          />
          <SelectField
            label="Location"
            className="[&_select]:min-h-16 pinned:[&_select]:min-h-14"
            placeholder="Choose"
            options={placeOptions(unanswered?.location)}
            disabled={disabled}
            {...form.field('location')}
          />
        </div>
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
        {choosesPlace && (
          <PlaceButtons quantity={form.values.quantity} onChoose={(place) => form.set('location', place)} />
        )}
        <Button
          type="submit"
          size={choosesPlace ? 'lg' : 'xl'}
          block
          className="px-4! text-2xl! max-[24rem]:text-xl!"
          busy={busy}
          disabled={tooMany}
          icon={<Wine size={30} className="shrink-0" />}
        >
          {buttonText(form.values)}
        </Button>
      </ActionBar>
    </form>
  );
}

/** On a device that has not poured yet, one tap chooses the place and pours. Many places are chosen in the list alone. */
function PlaceButtons({ quantity, onChoose }: { quantity: string; onChoose: (place: string) => void }) {
  return (
    <fieldset className="grid grid-flow-col gap-2">
      <legend className="mb-1.5 pinned:sr-only font-semibold text-sm">Pour {quantity} at</legend>
      {placeOptions(undefined).map(({ value, label }) => (
        <Button
          key={value}
          variant="secondary"
          className="min-h-11! px-1! text-xs! sm:text-sm!"
          onClick={({ currentTarget: { form } }) => {
            flushSync(() => onChoose(value));
            form?.requestSubmit();
          }}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

function buttonText({ quantity, location }: { quantity: string; location: string }): string {
  const place = location && placeLabel(location);
  return [`Pour ${quantity}`.trim(), place].filter(Boolean).join(', ');
}

function formValues(sent: PourDraft | undefined) {
  const draft = sent ?? { quantity: 1, location: loadPlace() };
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
