import { site } from '../../api/site.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { GiftLinks } from '../gifts/gift-links.tsx';

const STEPS = [
  ['Tell us your taste', 'Five questions, no wrong answers.'],
  [
    'Choose your membership',
    site.payments === 'off' ? 'You pay at the bar, each month.' : 'Billed monthly. Cancel anytime.',
  ],
  ['Come by', 'Show your card and we’ll pour.'],
] as const;

interface WelcomeCardProps {
  /** The survey is started but not finished. */
  surveyStarted: boolean;
}

export function WelcomeCard({ surveyStarted }: WelcomeCardProps) {
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
