import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Crest } from '../../brand/crest.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { barCardQuery } from '../pours/bar-card-query.ts';

interface SignedUpProps {
  customerId: string;
  name: string;
  onAnother: () => void;
}

export function SignedUp({ customerId, name, onAnother }: SignedUpProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { data: customer } = useQuery(barCardQuery(customerId));
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
        {customer && (
          <LinkButton
            to="/staff/customers/$id/add-pour"
            params={{ id: customerId }}
            // The pour page takes the member from here, as after a scan.
            state={{
              customer: {
                id: customer.id,
                first_name: customer.first_name,
                last_name: customer.last_name,
                tier: customer.tier,
                pours_balance: customer.pours_balance,
              },
            }}
            size="lg"
          >
            Pour the First Glass
          </LinkButton>
        )}
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
