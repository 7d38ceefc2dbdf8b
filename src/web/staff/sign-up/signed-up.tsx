import { useEffect, useRef } from 'react';
import { Crest } from '../../brand/crest.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

interface SignedUpProps {
  customerId: string;
  name: string;
  onAnother: () => void;
}

export function SignedUp({ customerId, name, onAnother }: SignedUpProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card raised className="text-center">
      <Crest className="mx-auto mb-4 h-16 w-auto text-brass" />
      <div role="status">
        <h2 ref={heading} tabIndex={-1} className="text-2xl outline-none">
          {name} is a member
        </h2>
      </div>
      <p className="mt-2 text-ink-muted">They’ll find their card on their phone once they sign in.</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <LinkButton to="/staff/customers/$id/add-pour" params={{ id: customerId }} size="lg">
          Pour the First Glass
        </LinkButton>
        <LinkButton to="/staff/customers/$id" params={{ id: customerId }} variant="secondary" size="lg">
          Open Their Page
        </LinkButton>
        <Button variant="quiet" size="lg" onClick={onAnother}>
          Add Another Member
        </Button>
      </div>
    </Card>
  );
}
