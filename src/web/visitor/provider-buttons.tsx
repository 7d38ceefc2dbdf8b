import { useState } from 'react';
import { auth } from '../api/auth-client.ts';
import { startSession } from '../api/session.ts';
import { site } from '../api/site.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.ts';
import { authErrorText } from './auth-error-text.ts';

/** Sign-in with a linked account; nothing if the venue offers no provider. */
export function ProviderButtons({ redirect }: { redirect?: string }) {
  const [busy, setBusy] = useState<string | null>(null);
  if (site.providers.length === 0) return null;

  const goToProvider = async (provider: string) => {
    setBusy(provider);
    try {
      const { url } = await auth.signInWithProvider({ provider, redirect });
      startSession();
      window.location.assign(url);
    } catch (error) {
      toast.error(authErrorText(error, 'Error signing in'), { of: error });
      setBusy(null);
    }
  };

  return (
    <div className="mt-6 flex flex-col gap-3 border-line border-t pt-6">
      {site.providers.map(({ id, label }) => (
        <Button
          key={id}
          variant="secondary"
          size="lg"
          block
          busy={busy === id}
          busyLabel={`Opening ${label}...`}
          disabled={busy !== null && busy !== id}
          onClick={() => void goToProvider(id)}
        >
          Continue with {label}
        </Button>
      ))}
    </div>
  );
}
