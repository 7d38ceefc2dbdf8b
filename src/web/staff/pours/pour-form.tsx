import formRules from 'virtual:form-rules';
import { Wine } from 'lucide-react';
import type { PourDraft } from '../../../contract/pours.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { LOCATION_OPTIONS } from './location-options.ts';
import { tooManyPoursText } from './record-pour.ts';

interface PourFormProps {
  balance: number;
  /** This form's pour is being sent. */
  busy: boolean;
  /** The one-tap pour is being sent. */
  locked: boolean;
  /** Sent without an answer: only the same pour can be sent again. */
  unanswered: PourDraft | undefined;
  onPour: (draft: PourDraft) => Promise<unknown>;
}

export function PourForm({ balance, busy, locked, unanswered, onPour }: PourFormProps) {
  const form = useForm({
    rules: formRules.recordPour,
    values: formValues(unanswered),
    onSubmit: (draft) => onPour(unanswered ?? draft),
  });
  // A pour that was sent may already be off the balance.
  const tooMany = !unanswered && Number(form.values.quantity) > balance;
  const answerLost = unanswered !== undefined && !busy && !locked;
  const disabled = locked || unanswered !== undefined;
  const quantity = form.field('quantity');
  return (
    <form {...form.props} className="flex flex-col gap-5">
      {answerLost && (
        <Notice tone="warning" role="status" title="The server did not respond">
          The pour may already be recorded. Press Record Pour again to make sure: it will not count twice.
        </Notice>
      )}
      <Stepper
        label="Quantity"
        {...quantity}
        max={balance}
        error={tooMany ? tooManyPoursText(balance) : quantity.error}
        disabled={disabled}
      />
      <SelectField
        label="Location"
        placeholder="Select a location"
        options={LOCATION_OPTIONS}
        disabled={disabled}
        {...form.field('location')}
      />
      {(!answerLost || form.values.notes) && (
        <TextareaField label="Notes" rows={2} disabled={disabled} {...form.field('notes')} />
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

/** What the fields start with: the draft that was sent, or one pour. */
function formValues(draft: Partial<PourDraft> = { quantity: 1 }) {
  const texts = Object.entries(draft).map(([name, value]) => [name, String(value ?? '')]);
  return Object.fromEntries(texts) as Partial<Record<keyof PourDraft, string>>;
}
