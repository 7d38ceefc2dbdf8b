import { Wine } from 'lucide-react';
import type { FormEvent } from 'react';
import { useId, useRef, useState } from 'react';
import type { PourLocation } from '../../../domain/pour.ts';
import { MAX_NOTES_LENGTH, POUR_LOCATION_LABELS, POUR_LOCATIONS } from '../../../domain/pour.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import type { PourOrder } from './pour-state.ts';
import { QuantityField } from './quantity-field.tsx';
import { tooManyPours } from './record-pour.ts';

const places = POUR_LOCATIONS.map((value) => ({ value, label: POUR_LOCATION_LABELS[value] }));

interface PourFormProps {
  balance: number;
  /** This form's pour is on its way. */
  busy: boolean;
  /** The one tap's is. */
  locked: boolean;
  /** Sent, not answered: only the same again may follow. */
  unanswered: PourOrder | undefined;
  onOrder: (order: PourOrder) => void;
}

export function PourForm({ balance, busy, locked, unanswered, onOrder }: PourFormProps) {
  const [quantity, setQuantity] = useState(String(unanswered?.quantity ?? 1));
  const [location, setLocation] = useState<PourLocation | ''>(unanswered?.location ?? '');
  const [notes, setNotes] = useState(unanswered?.notes ?? '');
  const [locationMissing, setLocationMissing] = useState(false);
  const quantityBox = useRef<HTMLInputElement>(null);
  const locationId = useId();

  const count = /^\d+$/.test(quantity) ? Number(quantity) : 0;
  // What was sent unanswered may already be off the balance.
  const tooMany = !unanswered && count > balance;

  const lost = unanswered !== undefined && !busy && !locked;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || locked) return;
    if (count < 1) return quantityBox.current?.focus();
    if (!location) {
      setLocationMissing(true);
      return document.getElementById(locationId)?.focus();
    }
    onOrder(unanswered ?? { quantity: count, location, notes: notes.trim() || undefined });
  };
  const quantityError = tooMany
    ? tooManyPours(balance)
    : quantity !== '' && count < 1
      ? 'At least 1 pour'
      : undefined;

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {lost && (
        <Notice tone="warning" role="status" title="No answer came back">
          The pour may already be recorded. Press Record Pour again to make sure: it is counted once.
        </Notice>
      )}
      <QuantityField
        inputRef={quantityBox}
        value={quantity}
        max={balance}
        error={quantityError}
        disabled={locked || Boolean(unanswered)}
        onValueChange={setQuantity}
      />
      <SelectField
        id={locationId}
        label="Location"
        placeholder="Choose where"
        options={places}
        value={location}
        error={locationMissing && 'Please select a location'}
        disabled={locked || Boolean(unanswered)}
        onChange={(event) => {
          setLocation(event.target.value as PourLocation);
          setLocationMissing(false);
        }}
      />
      {(!lost || notes) && (
        <TextareaField
          label="Notes"
          optional
          rows={2}
          maxLength={MAX_NOTES_LENGTH}
          value={notes}
          disabled={locked || Boolean(unanswered)}
          onChange={(event) => setNotes(event.target.value)}
        />
      )}
      <Button
        type="submit"
        // Beside the one tap above there is one thing to press only while that one is away.
        variant={lost ? 'primary' : 'secondary'}
        size="xl"
        block
        busy={busy}
        busyLabel="Recording..."
        disabled={tooMany || busy || locked}
        icon={<Wine size={26} aria-hidden="true" />}
      >
        Record Pour
      </Button>
    </form>
  );
}
