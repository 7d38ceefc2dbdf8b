import { useId, useState } from 'react';
import type { DuesNow } from '../../../contract/members.ts';
import { type ConsentWords, yearConsent } from '../../../domain/consent.ts';
import { nextMonthTier } from '../../../domain/membership/dues.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useSend } from '../../ui/use-send.ts';

/**
 * Pays another year of a member's dues online, of the tier of the first month after what is paid. Renders nothing where that
 * has no price for it.
 */
export function AnotherYear({ dues, tier }: { dues: DuesNow; tier: string }) {
  const id = useId();
  const tierLabel = useTierLabel();
  /** The server's text, after it refused the one made here. */
  const [currentWords, setCurrentWords] = useState<ConsentWords | null>(null);
  const { busy, failure, send } = useSend();
  const { year_cents, paid_until, pending_tier } = dues;
  if (site.payments === 'off' || year_cents === null || year_cents === undefined) return null;
  const price = amountWithTax(year_cents, site.currency, site.tax_behavior);
  const pending = { pending_tier: pending_tier?.tier ?? null, pending_from: pending_tier?.from ?? null };
  const label = tierLabel(nextMonthTier({ tier, paid_until, ...pending }));
  const words = currentWords ?? yearConsent(site, { tier: label, price });
  const pay = () =>
    send(
      async () => {
        const { url } = await api.billing.buyYear({ consentVersion: words.version });
        window.location.assign(url);
      },
      (error) => {
        const current = refusalOf(error, 'CONSENT_OUTDATED')?.data.current;
        if (current) setCurrentWords(current);
        if (refusalOf(error, 'DUES_REFUSED')) return 'Another year can’t be paid right now.';
        return serverMessage(error) ?? 'Failed to start payment process. Please try again.';
      },
    );
  return (
    <div className="flex flex-col items-start gap-3">
      <ConsentText words={words} id={id} />
      <Button size="sm" variant="secondary" busy={busy} aria-describedby={id} onClick={() => void pay()}>
        {dues.is_year ? 'Another Year' : 'Pay for a Year'}
      </Button>
      <FormError of={failure} />
    </div>
  );
}
