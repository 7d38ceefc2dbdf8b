import type { Customer, Profile } from '../../../contract/members.ts';
import { dateOfDay } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { CardFace } from './card-face.tsx';
import { lifeInWords } from './code-lifetime.ts';
import type { CardCode } from './use-card-code.ts';
import { useCardCode } from './use-card-code.ts';

interface MemberCardProps {
  profile: Pick<Profile, 'first_name' | 'last_name'>;
  customer: Pick<Customer, 'tier' | 'member_since'>;
}

export function MemberCard(props: MemberCardProps) {
  return <MemberCardFace {...props} code={useCardCode()} />;
}

/** The card with a code in any state of its life. */
export function MemberCardFace({ profile, customer, code }: MemberCardProps & { code: CardCode }) {
  return (
    <CardFace
      firstName={profile.first_name}
      lastName={profile.last_name}
      tier={customer.tier}
      memberSince={dateOfDay(customer.member_since)}
      text={code.token}
      codeTitle="QR code of your membership"
      instead={<NoCode code={code} />}
      note={<LifeNote code={code} />}
    />
  );
}

/** Announced when the state changes, not with every second. */
function LifeNote({ code }: { code: CardCode }) {
  return (
    <>
      <p role="status" className="print-hidden min-h-6 text-center text-ink-muted text-sm">
        {code.state === 'fresh' && 'Show this code to our staff. It renews itself.'}
        {code.state === 'aging' &&
          (code.online
            ? 'A new code is not here yet. This one still works.'
            : 'You are offline. This code still works.')}
        {code.state === 'aging' && (
          <span aria-hidden="true" className="block font-medium text-ink tabular-nums">
            Good for {lifeInWords(code.lifeLeftMs)}
          </span>
        )}
      </p>
      <p className="hidden text-center text-sm print:block">
        The code on this card is valid for ten minutes. After that our staff find you by your name.
      </p>
    </>
  );
}

function NoCode({ code }: { code: CardCode }) {
  if (code.state === 'loading') return <Spinner label="Preparing your code" size="lg" />;
  return (
    <div role="status" className="flex flex-col items-center gap-3">
      <p className="font-title text-xl">Your code is resting</p>
      <p className="text-sm">
        {code.online
          ? 'For your safety a code works for ten minutes, and no new one has arrived yet. It comes back by itself; our staff also find you by your name.'
          : 'For your safety a code works for ten minutes, and you are offline. It comes back by itself with the network; our staff also find you by your name.'}
      </p>
      {code.online && (
        <Button size="sm" busy={code.asking} onClick={code.askAgain}>
          Try Again
        </Button>
      )}
    </div>
  );
}
