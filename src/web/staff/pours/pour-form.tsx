import { Wine } from 'lucide-react';
import type { FormEvent } from 'react';
import { useId, useRef, useState } from 'react';
import type { PourDraft } from '../../../contract/pours.ts';
import { MAX_NOTES_LENGTH } from '../../../domain/pour.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { LOCATION_OPTIONS } from './location-options.ts';
import { QuantityField } from './quantity-field.tsx';
import { tooManyPoursText } from './record-pour.ts';

interface PourFormProps {
  balance: number;
  /** This form's pour is being sent. */
  busy: boolean;
  /** The one-tap pour is being sent. */
  locked: boolean;
  /** Sent without an answer: only the same pour can be sent again. */
  unanswered: PourDraft | undefined;
  onPour: (draft: PourDraft) => void;
}

export function PourForm({ balance, busy, locked, unanswered, onPour }: PourFormProps) {
  const [quantity, setQuantity] = useState(String(unanswered?.quantity ?? 1));
  const [location, setLocation] = useState<PourDraft['location'] | ''>(unanswered?.location ?? '');
  const [notes, setNotes] = useState(unanswered?.notes ?? '');
  const [locationMissing, setLocationMissing] = useState(false);
  const quantityInput = useRef<HTMLInputElement>(null);
  const locationId = useId();

  const count = /^\d+$/.test(quantity) ? Number(quantity) : 0;
  // A pour that was sent may already be off the balance.
  const tooMany = !unanswered && count > balance;
  const answerLost = unanswered !== undefined && !busy && !locked;
  const disabled = locked || unanswered !== undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || locked) return;
    if (count < 1) return quantityInput.current?.focus();
    if (!location) {
      setLocationMissing(true);
      return document.getElementById(locationId)?.focus();
    }
    onPour(unanswered ?? { quantity: count, location, notes: notes.trim() || undefined });
  };
  const quantityError = tooMany
    ? tooManyPoursText(balance)
    : quantity !== '' && count < 1
      ? 'Enter 1 or more'
      : undefined;

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {answerLost && (
        <Notice tone="warning" role="status" title="The server did not respond">
          The pour may already be recorded. Press Record Pour again to make sure: it will not count twice.
        </Notice>
      )}
      <QuantityField
        inputRef={quantityInput}
        value={quantity}
        max={balance}
        error={quantityError}
        disabled={disabled}
        onValueChange={setQuantity}
      />
      <SelectField
        id={locationId}
        label="Location"
        placeholder="Select a location"
        options={LOCATION_OPTIONS}
        value={location}
        error={locationMissing && 'Please select a location'}
        disabled={disabled}
        onChange={(event) => {
          setLocation(event.target.value as PourDraft['location']);
          setLocationMissing(false);
        }}
      />
      {(!answerLost || notes) && (
        <TextareaField
          label="Notes"
          optional
          rows={2}
          maxLength={MAX_NOTES_LENGTH}
          value={notes}
          disabled={disabled}
          onChange={(event) => setNotes(event.target.value)}
        />
      )}
      <Button
        type="submit"
        // The one-tap button is the primary one while it is there.
        variant={answerLost ? 'primary' : 'secondary'}
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
