import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { email } from '../../../contract/forms/credentials.ts';
import type { Household } from '../../../contract/sharing/household.ts';
import type { HouseholdObstacle } from '../../../domain/membership/household.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useSend } from '../../ui/use-send.ts';
import { ShareLink } from './share-link.tsx';

const WHY: Partial<Record<HouseholdObstacle, string>> = {
  tier_for_one: 'Your tier is for one person. With a tier for two, you can share all your pours.',
  no_access: 'You can share your pours while your membership is active.',
  email_off: 'The club can’t send email yet. Make a link instead.',
};

export function InviteCard({ household: { obstacle, invitation } }: { household: Household }) {
  const client = useQueryClient();
  const [url, setUrl] = useState<string | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: orpc.households.key() });
  const problem = (error: unknown) => {
    const refusal = refusalOf(error, 'HOUSEHOLD_REFUSED');
    return (
      (refusal && WHY[refusal.data.reason]) ??
      serverMessage(error) ??
      'Something went wrong. Please try again.'
    );
  };
  const form = useForm({
    fields: { email: z.optional(email) },
    onSubmit: async ({ email }) => {
      if (!email) return;
      await api.households.invite({ email });
      setUrl(null);
      toast.success(`We emailed ${email}`);
      await refresh();
    },
    onError: problem,
  });
  const link = useSend();
  const makeLink = () =>
    link.send(
      async () => {
        setUrl((await api.households.invite({})).url);
        void refresh();
      },
      (error) => toast.error(problem(error), { of: error }),
    );
  const withdrawal = useSend();
  const withdraw = () =>
    withdrawal.send(
      async () => {
        await api.households.withdrawInvitation({});
        setUrl(null);
        toast.success('The link no longer works');
      },
      errorToast('We couldn’t withdraw it. Please try again.'),
      refresh,
    );
  if (obstacle) {
    return (
      <Card title="Household">
        <p>{WHY[obstacle] ?? 'You can’t invite anyone right now.'}</p>
      </Card>
    );
  }
  return (
    <Card title="Household">
      <p>
        Your tier is for two. Invite one adult to share your pours: they’ll have their own account, card and
        history. Only you pay.
      </p>
      {invitation && (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="wrap-anywhere">
            {invitation.email ? `Emailed to ${invitation.email}. The` : 'Your'} link works until{' '}
            {dateOfInstant(invitation.expires_at)}.
          </p>
          <Button variant="secondary" busy={withdrawal.busy} busyLabel="One moment..." onClick={withdraw}>
            Withdraw
          </Button>
        </div>
      )}
      {url && <ShareLink url={url} title="QR code of your invitation" />}
      <form {...form.props} className="mt-5 flex flex-col gap-4">
        <TextField label="Their Email" type="email" autoComplete="off" {...form.field('email')} />
        <FormError of={form.failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={form.busy} busyLabel="Sending...">
            Email an Invitation
          </Button>
          <Button variant="secondary" busy={link.busy} busyLabel="One moment..." onClick={makeLink}>
            {url ? 'Show a New Code' : 'Show a Code Instead'}
          </Button>
        </div>
        <p className="text-ink-muted text-sm">
          The link works once, for seven days. A new link replaces the old one.
        </p>
      </form>
    </Card>
  );
}
