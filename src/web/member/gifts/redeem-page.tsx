import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouteContext } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { giftCode } from '../../../contract/forms/gift-fields.ts';
import type { OfferedGift } from '../../../contract/gifts/gifts.ts';
import { giftAcceptance } from '../../../domain/consent.ts';
import type { GiftObstacle } from '../../../domain/membership/gift.ts';
import { pourCount } from '../../../domain/pour.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { forgetOpenedLink, readOpenedLink } from '../../api/opened-link.ts';
import { QueryProvider } from '../../api/query-provider.tsx';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { dateOfDay } from '../../format/dates.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useSend } from '../../ui/use-send.ts';
import { GiftGreeting } from '../../visitor/gift-greeting.tsx';
import { MemberNav } from '../member-nav.tsx';

const OBSTACLES: Record<GiftObstacle, string> = {
  member:
    'You are already a member. Keep the code: it does not expire, and you can use it once your membership has ended. Or give it to someone else.',
  redeemed: 'This gift was already redeemed.',
  refunded: 'This gift was refunded, so its code no longer works.',
  disputed: 'The payment for this gift is being reviewed. Please try again later, or ask the club.',
  unpaid: 'This gift is not paid yet.',
};

const CODE = giftCode.check(z.trim(), z.minLength(1, 'Enter the code of your gift.'));

function problemOf(error: unknown): string {
  const refusal = refusalOf(error, 'GIFT_REFUSED');
  if (refusal) return OBSTACLES[refusal.data.reason];
  return serverMessage(error) ?? 'Something went wrong. Please try again.';
}

export default function RedeemPage() {
  const { user } = useRouteContext({ strict: false });
  if (!user) return <GiftGreeting />;
  return (
    <QueryProvider>
      <MemberNav />
      <div className="nav-page">
        <Redeem />
      </div>
    </QueryProvider>
  );
}

function Redeem() {
  const element = useRef<HTMLFormElement>(null);
  const [offer, setOffer] = useState<{ gift: OfferedGift; code: string } | null>(null);
  const form = useForm({
    fields: { code: CODE },
    values: { code: readOpenedLink('/redeem')?.secret },
    onSubmit: async ({ code }) => {
      const gift = await api.gifts.look({ code });
      if (gift.redeemed) forgetOpenedLink('/redeem');
      setOffer({ gift, code });
    },
    onError: (error) => {
      const reason = refusalOf(error, 'GIFT_REFUSED')?.data.reason;
      const isOver = reason === 'redeemed' || reason === 'refunded';
      if (isOver || refusalOf(error, 'GIFT_CODE_UNKNOWN')) forgetOpenedLink('/redeem');
      return problemOf(error);
    },
  });
  useEffect(() => {
    if (readOpenedLink('/redeem')) element.current?.requestSubmit();
  }, []);
  return (
    <PageShell
      title="Redeem a Gift"
      width="narrow"
      centered
      back={<BackLink to="/gift">Back to Gifts</BackLink>}
    >
      {offer ? (
        <Offer {...offer} />
      ) : (
        <Card>
          <form {...form.props} ref={element} aria-label="Your code" className="flex flex-col gap-5">
            <TextField
              label="Your Code"
              className="max-[24rem]:[&_input]:px-1 max-[24rem]:[&_input]:text-[1rem] max-[24rem]:[&_input]:tracking-tighter"
              hint="20 letters and digits, as on your card or in your email"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              {...form.field('code')}
            />
            <FormError of={form.failure} />
            <Button type="submit" size="lg" busy={form.busy} busyLabel="Looking...">
              Continue
            </Button>
          </form>
        </Card>
      )}
    </PageShell>
  );
}

function Offer({ gift, code }: { gift: OfferedGift; code: string }) {
  const consentId = useId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const words = giftAcceptance(site);
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  const { busy, failure, send } = useSend();
  const redeem = () =>
    send(async () => {
      const { last_day } = await api.gifts.redeem({ code, consent_version: words.version });
      forgetOpenedLink('/redeem');
      await client.invalidateQueries();
      toast.success('Welcome to our wine club!', {
        description: `Your gift lasts through ${dateOfDay(last_day)}.`,
        nextPage: true,
      });
      await navigate({ to: '/dashboard' });
    }, problemOf);
  return (
    <Card className="text-center">
      <p className="eyebrow text-brass-text">{gift.from_name ? `From ${gift.from_name}` : site.club_name}</p>
      <h2 ref={heading} tabIndex={-1} className="mt-2 wrap-anywhere text-3xl">
        {gift.to_name ? `For ${gift.to_name}` : 'A gift for you'}
      </h2>
      <p className="mt-3">
        {gift.months} months of {gift.tier_label}: {pourCount(gift.monthly_pours)} every month
      </p>
      {gift.message && (
        <p className="mt-5 text-balance whitespace-pre-line wrap-anywhere font-title text-lg">
          {gift.message}
        </p>
      )}
      <div className="mt-6 flex flex-col gap-4 text-left">
        {gift.redeemed ? (
          <LinkButton to="/dashboard" size="lg" block>
            Open My Dashboard
          </LinkButton>
        ) : (
          <>
            <ConsentText words={words} id={consentId} />
            <FormError of={failure} />
            <Button
              size="lg"
              busy={busy}
              busyLabel="Starting..."
              aria-describedby={consentId}
              onClick={redeem}
            >
              Start My Membership
            </Button>
          </>
        )}
      </div>
    </Card>
  );
}
