import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import Printer from 'lucide-react/icons/printer';
import { useState } from 'react';
import type { Gift } from '../../../contract/gifts/gifts.ts';
import { api, orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { Crest } from '../../brand/crest.tsx';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { failureToast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

export default function GiftCardPage() {
  const { id } = useParams({ from: '/_member/gift/$id' });
  const [asking, setAsking] = useState(false);
  const gifts = useQuery(orpc.gifts.list.queryOptions());
  // Asking again gives the same code.
  const options = orpc.gifts.showCode.queryOptions({ input: { id, renew: false } });
  const show = useQuery(options);
  const client = useQueryClient();
  const { busy, send } = useSend();
  const renew = () =>
    send(
      async () => client.setQueryData(options.queryKey, await api.gifts.showCode({ id, renew: true })),
      failureToast('We couldn’t get a new code', 'Please try again.'),
      () => setAsking(false),
    );
  const gift = gifts.data?.find((it) => it.id === id);
  const code = show.data?.code;
  const failure = show.error ?? gifts.error;

  const content = () => {
    if (failure) {
      return (
        <ErrorState
          of={failure}
          title="We couldn’t show this card"
          onRetry={() => {
            void gifts.refetch();
            void show.refetch();
          }}
          retrying={gifts.isFetching || show.isFetching}
        />
      );
    }
    if (gift && code) return <PrintedCard gift={gift} code={code} />;
    if (gift && code === null) {
      return (
        <Notice tone="warning" title="We can’t show this card’s code again">
          The card you printed works until you get a new code.
        </Notice>
      );
    }
    return (
      <Card>
        <SkeletonLines lines={6} />
      </Card>
    );
  };
  return (
    <PageShell
      title="Your Gift Card"
      width="narrow"
      centered
      back={<BackLink to="/gift">Back to Gifts</BackLink>}
    >
      {content()}
      <div className="print-hidden grid gap-3 sm:grid-cols-2">
        <Button
          disabled={!code}
          icon={<Printer size={18} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          Print Card
        </Button>
        <Button variant="secondary" disabled={!show.isSuccess} onClick={() => setAsking(true)}>
          New Code
        </Button>
      </div>
      <AlertDialog
        open={asking}
        title="Get a new code?"
        description="The code on any card you printed will stop working."
        confirmLabel="Get a New Code"
        cancelLabel="Keep It"
        busy={busy}
        onConfirm={renew}
        onClose={() => setAsking(false)}
      />
    </PageShell>
  );
}

function PrintedCard({ gift, code }: { gift: Gift; code: string }) {
  const tierLabel = useTierLabel();
  const { protocol, host } = window.location;
  return (
    <section
      aria-label="Gift card"
      className="membership-card rounded-xl print:mx-auto border border-brass bg-surface-raised px-6 py-8 text-center"
    >
      <Crest className="only-logo mx-auto mb-5 hidden h-14 w-auto" />
      <p className="eyebrow text-brass-text">{site.club_name}</p>
      <h2 className="mt-3 text-balance wrap-anywhere text-3xl">
        {gift.to_name ? `A gift for ${gift.to_name}` : 'A gift for you'}
      </h2>
      <p className="mt-2 text-ink-muted">
        {gift.months} months of {tierLabel(gift.tier)}
        {gift.from_name ? `, from ${gift.from_name}` : ''}
      </p>
      {gift.message && (
        <p className="mt-5 text-balance whitespace-pre-line wrap-anywhere font-title text-lg">
          {gift.message}
        </p>
      )}
      <QrCode
        text={`${protocol}//${host}/redeem#${code}`}
        size={180}
        title="Code to redeem the gift"
        className="mx-auto mt-6"
      />
      <p className="mt-4 font-semibold tabular-nums tracking-wide">{code}</p>
      <p className="mt-2 text-balance text-ink-muted text-sm">
        Scan the code, or enter it at {host}/redeem. It never expires, and you don’t need a payment card.
        {site.minimum_age > 0 ? ` You must be ${site.minimum_age} or older.` : ''}
      </p>
    </section>
  );
}
