import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

const steps = [
  ['Tell us your taste', 'Five questions, no right answers.'],
  ['Choose your membership', 'Paid by the month, cancelled whenever you like.'],
  ['Come by', 'Show the card on your phone, and we pour.'],
] as const;

interface WelcomeCardProps {
  /** A survey lies half answered. */
  begun: boolean;
}

export function WelcomeCard({ begun }: WelcomeCardProps) {
  return (
    <Card raised title="Welcome">
      <p className="text-ink-muted">
        {begun
          ? 'Your answers so far are saved. Pick up the survey whenever you like.'
          : 'You are three small steps away from your first glass.'}
      </p>
      <ol className="my-7 flex flex-col gap-5">
        {steps.map(([title, text], index) => (
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
      <LinkButton to="/apply" size="lg" className="w-full sm:w-auto">
        {begun ? 'Continue Survey' : 'Get Started'}
      </LinkButton>
    </Card>
  );
}
