import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { PageShell } from '../../ui/page-shell.tsx';
import { StepProgress } from '../../ui/step-progress.tsx';
import { BackToDashboard } from '../shell/back-links.tsx';
import { MembershipStep } from './membership-step.tsx';
import { PaymentStep } from './payment-step.tsx';
import { type ChosenPerson, PersonStep } from './person-step.tsx';
import type { SignUpAddress } from './sign-up-address.ts';
import { SignedUp } from './signed-up.tsx';

const STEPS = ['Who', 'Membership', 'Payment'] as const;

export default function SignUpPage() {
  const address = useSearch({ from: '/_staff/staff/members/new' });
  return <SignUp key={address.person} address={address} />;
}

function SignUp({ address }: { address: SignUpAddress }) {
  const navigate = useNavigate();
  const [person, setPerson] = useState<ChosenPerson | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  const [customerId, setCustomerId] = useState<string | null>(null);
  const paying = address.application;
  const step = paying || customerId ? 3 : person ? 2 : 1;
  const name = person && `${person.first_name} ${person.last_name}`;

  const startOver = () => {
    setPerson(null);
    setUrl(null);
    setCustomerId(null);
    void navigate({ to: '/staff/members/new', search: {} });
  };

  return (
    <PageShell title="Add Member" back={<BackToDashboard />} lead={step === 2 ? name : undefined}>
      <StepProgress steps={STEPS} current={step} className={paying && 'lying:[&>p]:hidden'} />
      {customerId ? (
        <SignedUp customerId={customerId} name={person?.first_name ?? ''} onAnother={startOver} />
      ) : paying ? (
        <PaymentStep applicationId={paying} url={url} onUrl={setUrl} onAnother={startOver} />
      ) : person ? (
        <MembershipStep
          person={person}
          onTheHouse={address.house === true}
          onBack={() => setPerson(null)}
          onVenue={setCustomerId}
          onPhone={(applicationId, link) => {
            setUrl(link);
            void navigate({
              to: '/staff/members/new',
              search: { ...address, application: applicationId },
              replace: true,
            });
          }}
        />
      ) : (
        <PersonStep userId={address.person} onChosen={setPerson} onAnother={startOver} />
      )}
    </PageShell>
  );
}
