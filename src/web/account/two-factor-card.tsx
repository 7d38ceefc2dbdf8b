import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { auth } from '../api/auth-client.ts';
import { turnOffTwoFactor } from '../api/factors.ts';
import { currentUser, forgetSession } from '../api/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { BackupCodes } from './backup-codes.tsx';
import { TwoFactorPasswordStep } from './two-factor-password-step.tsx';

// Brings the drawing of codes with it, which few need here.
const ScanStep = lazy(async () => ({
  default: (await import('./two-factor-scan-step.tsx')).TwoFactorScanStep,
}));

type Step =
  | { at: 'rest' | 'enable' | 'disable' | 'renew' }
  | { at: 'scan'; id: string; uri: string; codes: string[] }
  | { at: 'codes'; codes: string[] };

const rest: Step = { at: 'rest' };
const queryKey = ['two-factor'];

/** Two-step sign-in: off, on, and the steps between. */
export function TwoFactorCard() {
  const client = useQueryClient();
  const router = useRouter();
  const [step, setStep] = useState<Step>(rest);
  const { data: on } = useQuery({
    queryKey,
    queryFn: async () => {
      forgetSession();
      return (await currentUser())?.two_factor === true;
    },
  });

  const settle = async (isOn: boolean) => {
    forgetSession();
    client.setQueryData(queryKey, isOn);
    // The pages may depend on it: staff may have to have it.
    await router.invalidate();
  };
  const cancel = () => setStep(rest);

  const content = () => {
    switch (step.at) {
      case 'enable':
        return (
          <TwoFactorPasswordStep
            label="Continue"
            onCancel={cancel}
            onPassword={async (password) => {
              const { id, totp_uri, backup_codes } = await auth.createFactor({ password });
              setStep({ at: 'scan', id, uri: totp_uri, codes: backup_codes });
            }}
          >
            <p>First, your password. Have your phone with an authenticator app at hand.</p>
          </TwoFactorPasswordStep>
        );
      case 'scan':
        return (
          <Suspense fallback={<SkeletonLines lines={4} />}>
            <ScanStep
              id={step.id}
              uri={step.uri}
              onCancel={cancel}
              onDone={() => {
                toast.success('Two-step sign-in is on');
                setStep({ at: 'codes', codes: step.codes });
              }}
            />
          </Suspense>
        );
      case 'codes':
        return (
          <BackupCodes
            codes={step.codes}
            onDone={() => {
              setStep(rest);
              void settle(true);
            }}
          />
        );
      case 'renew':
        return (
          <TwoFactorPasswordStep
            label="Make New Codes"
            onCancel={cancel}
            onPassword={async (password) => {
              const { backup_codes } = await auth.createBackupCodes({ password });
              setStep({ at: 'codes', codes: backup_codes });
            }}
          >
            <p>The backup codes you have now will no longer work.</p>
          </TwoFactorPasswordStep>
        );
      case 'disable':
        return (
          <TwoFactorPasswordStep
            label="Turn Off"
            variant="danger"
            onCancel={cancel}
            onPassword={async (password) => {
              await turnOffTwoFactor(password);
              toast.success('Two-step sign-in is off');
              setStep(rest);
              await settle(false);
            }}
          >
            <p>From then on your password alone signs you in.</p>
          </TwoFactorPasswordStep>
        );
      case 'rest':
        if (on === undefined) return <SkeletonLines lines={2} />;
        return on ? (
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" onClick={() => setStep({ at: 'renew' })}>
              New Backup Codes
            </Button>
            <Button variant="quiet" onClick={() => setStep({ at: 'disable' })}>
              Turn Off
            </Button>
          </div>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p className="min-w-0 flex-1 basis-56 text-ink-muted">
              A code from your phone, beside the password. Whoever learns your password still stays outside.
            </p>
            <Button variant="secondary" onClick={() => setStep({ at: 'enable' })}>
              Set Up
            </Button>
          </div>
        );
    }
  };

  return (
    <Card title="Two-Step Sign-In" aside={on && <Badge tone="positive">On</Badge>}>
      {content()}
    </Card>
  );
}
