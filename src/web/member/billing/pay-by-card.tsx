import type { DuesNow } from '../../../contract/members.ts';
import { cardConsent } from '../../../domain/consent.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { api } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { dateOfDay } from '../../format/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useOrder } from './use-order.ts';

interface PayByCardDialogProps {
  dues: DuesNow;
  /** The tier of the first month by card. */
  tierLabel: string;
  onClose: () => void;
}

/** Orders a card for the time after what is paid at the venue. */
export function PayByCardDialog({ dues, tierLabel, onClose }: PayByCardDialogProps) {
  const { card_cents, state, paid_until } = dues;
  const overdue = state === 'overdue' || state === 'ended';
  const price = amountWithTax(card_cents ?? 0, site.currency, site.tax_behavior);
  const { words, busy, failure, pay } = useOrder(
    cardConsent(site, { tier: tierLabel, price, overdue }),
    api.billing.payByCard,
    'You can’t change to a card right now. Please ask our staff.',
  );
  return (
    <AlertDialog
      open
      tone="primary"
      title="Pay by Card"
      description={
        overdue
          ? 'Your membership continues today, and renews every month.'
          : `Your months paid at the venue count, until ${dateOfDay(paid_until)}. Your card is charged from then on.`
      }
      confirmLabel="Continue to Payment"
      cancelLabel="Not Now"
      busy={busy}
      onConfirm={() => void pay()}
      onClose={onClose}
    >
      <ConsentText words={words} id="by-card-consent" />
      <FormError of={failure} />
    </AlertDialog>
  );
}
