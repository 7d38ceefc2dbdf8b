import { useId } from 'react';
import { yearConsent } from '../../../domain/consent.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { api } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FormError } from '../../ui/form-error.tsx';
import { useOrder } from './use-order.ts';

interface AnotherYearProps {
  year_cents: number;
  tierLabel: string;
  /** A year is paid already. */
  isYear: boolean;
  className: string;
}

/** Pays a year online, of the tier of the first month after what is paid. */
export function AnotherYear({ year_cents, tierLabel, isYear, className }: AnotherYearProps) {
  const id = useId();
  const price = amountWithTax(year_cents, site.currency, site.tax_behavior);
  const consent = yearConsent(site, { tier: tierLabel, price });
  const { words, busy, failure, pay } = useOrder(
    consent,
    api.billing.buyYear,
    'A year can’t be paid right now.',
  );
  return (
    <div className={classNames('flex flex-col items-start gap-3 border-line border-t', className)}>
      <ConsentText words={words} id={id} />
      <Button size="sm" variant="secondary" busy={busy} aria-describedby={id} onClick={() => void pay()}>
        {isYear ? 'Another Year' : 'Pay for a Year'}
      </Button>
      <FormError of={failure} />
    </div>
  );
}
