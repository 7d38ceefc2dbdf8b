import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { auth } from '../api/auth-client.ts';
import { turnOffTwoFactor } from '../api/factors.ts';
import { forgetSession } from '../api/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { copyText } from '../ui/copy-text.ts';
import { saveBlob } from '../ui/save-blob.ts';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { PasswordStep } from './password-step.tsx';
import { TWO_FACTOR_KEY, useTwoFactor } from './use-two-factor.ts';

// Loaded when needed, because it brings the QR encoder.
const ScanStep = lazy(async () => ({
  default: (await import('./two-factor-scan-step.tsx')).TwoFactorScanStep,
}));

type Step =
  | { at: 'overview' | 'enable' | 'disable' | 'renew' }
  | { at: 'scan'; id: string; uri: string; codes: string[] }
  | { at: 'codes'; codes: string[] };

const overview: Step = { at: 'overview' };

export function TwoFactorCard() {
  const client = useQueryClient();
  const router = useRouter();
  const [step, setStep] = useState<Step>(overview);
  const on = useTwoFactor();

  const settle = async (isOn: boolean) => {
    forgetSession();
    client.setQueryData(TWO_FACTOR_KEY, isOn);
    // Route guards read the session: staff may be required to have two-step sign-in.
    await router.invalidate();
  };
  const cancel = () => setStep(overview);

  const content = () => {
    switch (step.at) {
      case 'enable':
        return (
          <PasswordStep
            label="Continue"
            onCancel={cancel}
            onPassword={async (password) => {
              const { id, totp_uri, backup_codes } = await auth.createFactor({ password });
              setStep({ at: 'scan', id, uri: totp_uri, codes: backup_codes });
            }}
          >
            <p>First, enter your password. You will need a phone with an authenticator app.</p>
          </PasswordStep>
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
              setStep(overview);
              void settle(true);
            }}
          />
        );
      case 'renew':
        return (
          <PasswordStep
            label="Get New Codes"
            onCancel={cancel}
            onPassword={async (password) => {
              const { backup_codes } = await auth.createBackupCodes({ password });
              setStep({ at: 'codes', codes: backup_codes });
            }}
          >
            <p>Your current backup codes will stop working.</p>
          </PasswordStep>
        );
      case 'disable':
        return (
          <PasswordStep
            label="Turn Off"
            variant="danger"
            onCancel={cancel}
            onPassword={async (password) => {
              await turnOffTwoFactor(password);
              toast.success('Two-step sign-in is off');
              setStep(overview);
              await settle(false);
            }}
          >
            <p>You will sign in with your password alone.</p>
          </PasswordStep>
        );
      case 'overview':
        return <Overview on={on} onStart={(at) => setStep({ at })} />;
    }
  };

  return (
    <Card title="Two-Step Sign-In" aside={on && <Badge tone="positive">On</Badge>}>
      {content()}
    </Card>
  );
}

interface OverviewProps {
  /** Undefined until the server has responded. */
  on: boolean | undefined;
  onStart: (at: 'enable' | 'disable' | 'renew') => void;
}

function Overview({ on, onStart }: OverviewProps) {
  if (on === undefined) return <SkeletonLines lines={2} />;
  if (on) {
    return (
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => onStart('renew')}>
          New Backup Codes
        </Button>
        <Button variant="quiet" onClick={() => onStart('disable')}>
          Turn Off
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="min-w-0 flex-1 basis-56 text-ink-muted">
        A code from your phone, in addition to your password. A stolen password alone is not enough to sign
        in.
      </p>
      <Button variant="secondary" onClick={() => onStart('enable')}>
        Set Up
      </Button>
    </div>
  );
}

/** Shown once: the server stores only hashes of the codes. */
function BackupCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n');
  const copy = () =>
    copyText(text, 'Backup codes copied', 'We couldn’t copy the codes. Please write them down.');
  return (
    <div className="flex flex-col gap-5">
      <p>
        Save these backup codes where you can find them without your phone. Each works once. You will not see
        them again.
      </p>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md bg-surface-sunken p-4 font-code"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={copy}>
          Copy
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveBlob(new Blob([`${text}\n`], { type: 'text/plain' }), 'backup-codes.txt')}
        >
          Download
        </Button>
        <Button onClick={onDone}>I’ve Saved Them</Button>
      </div>
    </div>
  );
}
