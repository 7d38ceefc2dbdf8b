import { Link } from '@tanstack/react-router';
import type { FormerHousehold } from '../../../contract/members.ts';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import type { OpenedLink } from '../../api/opened-link.ts';
import { site } from '../../api/site.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyGlassPicture, EnvelopePicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import type { OwnRecord } from '../use-own.ts';

const STEPS = [
  ['Tell us your taste', 'Five questions, no wrong answers.'],
  [
    'Choose your membership',
    site.payments === 'off' ? 'You pay at the bar, each month.' : 'Billed monthly. Cancel anytime.',
  ],
  ['Come by', 'Show your card and we’ll pour.'],
] as const;

export function WelcomeCard({ surveyStarted }: { surveyStarted: boolean }) {
  return (
    <Card raised title="Welcome">
      <p className="text-ink-muted">
        {surveyStarted
          ? 'Your answers so far are saved. Continue the survey anytime.'
          : 'Your first glass is three small steps away.'}
      </p>
      <LinkButton to="/apply" size="lg" className="mt-5 w-full sm:w-auto">
        {surveyStarted ? 'Continue Survey' : 'Get Started'}
      </LinkButton>
      <ol className="my-6 flex flex-col gap-4 border-line border-t pt-6">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="flex items-baseline gap-4">
            <span aria-hidden="true" className="w-6 shrink-0 font-title text-2xl text-brass-text">
              {index + 1}
            </span>
            <span>
              <span className="block font-semibold">{title}</span>
              <span className="block text-ink-muted text-sm">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      <GiftLinks />
    </Card>
  );
}

/** What ended, for someone without an active membership, and how to come back. */
export function WhatEnded({ me: { membership_ever, household, former_household } }: { me: RenewCardProps }) {
  if (household?.role === 'partner') {
    return (
      <>
        You share {household.first_name}’s membership, and it is not active now. Your card works again once it
        is. You can also{' '}
        <Link to="/household" className="link">
          leave the household
        </Link>
        , or join with a membership of your own.
      </>
    );
  }
  if (former_household) return formerSharing(former_household);
  return membership_ever
    ? 'Your membership has ended. Renew it to enjoy your monthly pours again.'
    : 'Your membership is not active. Renew it to enjoy your monthly pours again.';
}

/** What ended the sharing, for the former partner, and what they can do. */
function formerSharing({ ended_by, first_name }: FormerHousehold): string {
  const way = 'join with a membership of your own';
  if (!first_name || ended_by === 'account') return `The membership you shared is over. You can ${way}.`;
  if (ended_by === 'tier') {
    return `${first_name}’s membership is now for one person, so you no longer share it. You can ${way}, or ask ${first_name} to change to a tier for two and invite you again.`;
  }
  return ended_by === 'partner'
    ? `You left the membership that you shared with ${first_name}. You can ${way}, or ask ${first_name} to invite you again.`
    : `${first_name} no longer shares a membership with you. You can ${way}.`;
}

type RenewCardProps = Pick<OwnRecord, 'membership_ever' | 'household' | 'former_household'>;

export function RenewCard({ me }: { me: RenewCardProps }) {
  return (
    <Card raised className="flex flex-col items-center text-center">
      <EmptyGlassPicture className="mb-3" />
      <h2 className="text-2xl">No Active Membership</h2>
      <p className="mt-2 max-w-narrow text-ink-muted">
        <WhatEnded me={me} />
      </p>
      <LinkButton to="/apply" size="lg" className="mt-6 w-full sm:w-auto">
        Renew Membership
      </LinkButton>
      <GiftLinks className="mt-4" />
      <p className="mt-6 mb-2 text-ink-muted text-sm">
        Not what you expected? <SupportLink>Contact support</SupportLink>
      </p>
      <SignOutButton />
    </Card>
  );
}

const WORDS = {
  '/share': {
    title: 'You are invited to share a membership',
    text: 'You’ll have your own card and history, and pay nothing.',
    button: 'See the Invitation',
  },
  '/redeem': {
    title: 'A gift is waiting for you',
    text: 'A membership that is already paid. It starts when you redeem it.',
    button: 'Redeem My Gift',
  },
} as const;

/** The invitation or gift that brought the user, in place of an offer to buy a membership. */
export function WaitingCards({ links }: { links: readonly OpenedLink[] }) {
  return (
    <>
      {links.map(({ page }) => (
        <Card key={page} raised className="flex flex-col items-center text-center">
          <EnvelopePicture className="mb-3" />
          <h2 className="text-balance text-2xl">{WORDS[page].title}</h2>
          <p className="mt-2 text-ink-muted">{WORDS[page].text}</p>
          <LinkButton to={page} size="lg" className="mt-6 w-full sm:w-auto">
            {WORDS[page].button}
          </LinkButton>
        </Card>
      ))}
      <p className="text-center text-ink-muted text-sm">
        Not for you?{' '}
        <Link to="/apply" className="link">
          Choose a membership of your own
        </Link>
      </p>
    </>
  );
}

function GiftLinks({ className }: { className?: string }) {
  return (
    <p className={classNames('text-ink-muted text-sm', className)}>
      <Link to="/redeem" className="link">
        Redeem a gift
      </Link>
      {site.payments === 'on' && (
        <>
          {' · '}
          <Link to="/gift" className="link">
            Give a membership
          </Link>
        </>
      )}
    </p>
  );
}
