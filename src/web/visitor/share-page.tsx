import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import type { HouseholdObstacle } from '../../domain/membership/household.ts';
import { readLinkFragment } from '../../domain/membership/link-fragment.ts';
import { refusalOf, serverMessage } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import { forgetOpenedLink, readOpenedLink } from '../api/opened-link.ts';
import { currentUser, type SessionUser } from '../api/session.ts';
import { site } from '../api/site.ts';
import { ConsentText } from '../brand/consent-text.tsx';
import { dateOfInstant } from '../format/dates.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';
import { AccountButtons } from './account-buttons.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { LinkUnread } from './links/link-unread.tsx';
import { useLink } from './links/use-link.ts';

type Invitation = Awaited<ReturnType<typeof api.households.readInvitation>> & { user: SessionUser | null };

export default function SharePage() {
  // Still in the URL if the browser stores nothing.
  const inUrl = useLocation({ select: ({ hash }) => readLinkFragment(hash).secret });
  const token = readOpenedLink('/share')?.secret ?? inUrl;
  return <Share key={token} token={token} />;
}

function Share({ token }: { token: string }) {
  const { state, retry } = useLink<Invitation>(token, async (signal) => {
    const read = api.households.readInvitation({ token }, { signal });
    const [invitation, user] = await Promise.all([read, currentUser()]);
    return { ...invitation, user };
  });

  useEffect(() => {
    if (state === 'invalid') forgetOpenedLink('/share');
  }, [state]);

  const isOpen = typeof state === 'object';
  return (
    <AuthLayout
      title="Share a Membership"
      heading={isOpen ? `Share ${state.holder_first_name}’s Membership` : 'Share a Membership'}
      lead={state === 'invalid' ? 'This link does not work' : site.club_name}
      footer={
        <Link to="/dashboard" className="link">
          To {site.club_name}
        </Link>
      }
    >
      {state === 'reading' ? (
        <SkeletonLines lines={5} />
      ) : state === 'invalid' ? (
        <p>
          This link was already used or withdrawn, is older than seven days, or is incomplete. Ask the person
          who invited you for a new one.
        </p>
      ) : state === 'failed' ? (
        <LinkUnread onRetry={retry} />
      ) : (
        <div className="flex flex-col gap-5">
          <p>
            {state.holder_first_name} would like to share a membership with you. You’ll use the same monthly
            pours, have your own card and history, and pay nothing. This invitation expires on{' '}
            {dateOfInstant(state.expires_at)}.
          </p>
          {state.user?.role === 'customer' ? (
            <Accept token={token} invitation={state} user={state.user} />
          ) : state.user ? (
            <p>
              You are signed in as staff. Sign out, then follow the link again with an account of your own.
            </p>
          ) : (
            <>
              <p>To join, you need an account of your own.</p>
              <AccountButtons redirect="/share" />
            </>
          )}
        </div>
      )}
    </AuthLayout>
  );
}

const WHY: Record<HouseholdObstacle, string> = {
  own_invitation: 'This is your own invitation. Pass it on to the person you live with.',
  own_membership: 'You have a membership of your own. Let it end first, then follow this link again.',
  shares_already: 'You already share a membership. Leave that household first.',
  email_not_confirmed:
    'Please confirm your email first: follow the link in our email to you, then come back here.',
  tier_for_one: 'This membership is for one person now. Ask the person who invited you.',
  full: 'Someone else already shares this membership. Ask the person who invited you.',
  no_access: 'This membership is not active right now. Ask the person who invited you.',
  email_off: 'The club cannot send email yet.',
};

/** Obstacles that may disappear soon; for the others, trying again is useless. */
const MAY_PASS: readonly HouseholdObstacle[] = ['email_not_confirmed', 'no_access', 'email_off'];

function Accept({ token, invitation, user }: { token: string; invitation: Invitation; user: SessionUser }) {
  const router = useRouter();
  const id = useId();
  const [words, setWords] = useState(invitation.consent);
  const { busy, failure, send } = useSend();
  const [final, setFinal] = useState(false);
  const join = () =>
    send(
      async () => {
        await api.households.acceptInvitation({ token, ...(words && { consent_version: words.version }) });
        forgetOpenedLink('/share');
        toast.success(`You share ${invitation.holder_first_name}’s membership`, { nextPage: true });
        await router.navigate({ to: '/dashboard', replace: true });
      },
      (error) => {
        const outdated = refusalOf(error, 'CONSENT_OUTDATED');
        if (outdated) setWords(outdated.data.current);
        const refusal = refusalOf(error, 'HOUSEHOLD_REFUSED');
        const isFinal = refusal !== null && !MAY_PASS.includes(refusal.data.reason);
        setFinal(isFinal);
        if (isFinal) forgetOpenedLink('/share');
        return refusal
          ? WHY[refusal.data.reason]
          : (serverMessage(error) ?? 'Something went wrong. Please try again.');
      },
    );
  return (
    <>
      <p className="wrap-anywhere">
        You are signed in as <strong>{user.email}</strong>.
      </p>
      <FormError of={failure} />
      {!final && (
        <>
          {words && <ConsentText words={words} id={id} />}
          <Button
            size="lg"
            block
            busy={busy}
            busyLabel="Joining..."
            aria-describedby={words ? id : undefined}
            onClick={() => void join()}
          >
            Join
          </Button>
        </>
      )}
    </>
  );
}
