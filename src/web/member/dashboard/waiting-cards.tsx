import { Link } from '@tanstack/react-router';
import type { OpenedLink } from '../../api/opened-link.ts';
import { Card } from '../../ui/card.tsx';
import { LetterPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

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

/**
 * The invitation or gift that brought a user without a membership, from the link that this tab opened. Shown in place of
 * an offer to buy a membership.
 */
export function WaitingCards({ links }: { links: readonly OpenedLink[] }) {
  return (
    <>
      {links.map(({ page }) => (
        <Card key={page} raised className="flex flex-col items-center text-center">
          <LetterPicture className="mb-3" />
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
