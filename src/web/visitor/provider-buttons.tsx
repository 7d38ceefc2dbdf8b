import { useState } from 'react';
import { auth } from '../api/auth-client.ts';
import { startSession } from '../api/session.ts';
import { site } from '../api/site.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';
import { authErrorText } from './auth-error-text.ts';

/** Sign-in with a linked account; renders nothing if the venue offers no provider. */
export function ProviderButtons({ redirect }: { redirect?: string }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { send } = useSend();
  if (site.providers.length === 0) return null;

  const goToProvider = (provider: string) => {
    setChosen(provider);
    return send(
      async () => {
        const { url } = await auth.signInWithProvider({ provider, redirect });
        startSession();
        window.location.assign(url);
      },
      (error) => {
        toast.error(authErrorText(error, 'Error signing in'), { of: error });
        setChosen(null);
      },
    );
  };

  return (
    <div className="mt-6 flex flex-col gap-3 border-line border-t pt-6">
      {site.providers.map(({ id, label }) => (
        <Button
          key={id}
          variant="secondary"
          size="lg"
          block
          busy={chosen === id}
          busyLabel={`Opening ${label}...`}
          disabled={chosen !== null && chosen !== id}
          onClick={() => void goToProvider(id)}
        >
          Continue with {label}
        </Button>
      ))}
    </div>
  );
}
