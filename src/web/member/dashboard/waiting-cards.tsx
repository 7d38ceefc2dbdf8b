import { openedLinks } from '../../api/opened-link.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

const WORDS = {
  '/share': {
    title: 'You are invited to share a membership',
    text: 'You get your own card and history, and pay nothing.',
    button: 'See the Invitation',
  },
  '/redeem': {
    title: 'A gift is waiting for you',
    text: 'A membership that is already paid. It begins when you redeem it.',
    button: 'Redeem My Gift',
  },
} as const;

/** The invitation or gift that brought a user without a membership, from the link that this tab opened. */
export function WaitingCards() {
  return openedLinks().map(({ page }) => (
    <Card key={page} raised title={WORDS[page].title}>
      <p className="text-ink-muted">{WORDS[page].text}</p>
      <LinkButton to={page} size="lg" className="mt-5 w-full sm:w-auto">
        {WORDS[page].button}
      </LinkButton>
    </Card>
  ));
}
