import { api, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

export function WalletButtons() {
  const { wallets } = site;
  const { busy, send } = useSend();
  if (wallets.length === 0) return null;
  const saveAtGoogle = () =>
    send(
      async () => window.location.assign((await api.walletPasses.linkGoogle({})).url),
      (error) => {
        logFailure('Making a pass', error);
        toast.error('We couldn’t make your pass', {
          description: serverMessage(error) ?? 'Please try again when you are online.',
          of: error,
        });
      },
    );
  return (
    <div className="print-hidden flex flex-col gap-3">
      {wallets.includes('apple') && (
        // A link, because phones accept a pass only from a page that they open.
        <AnchorButton variant="secondary" block href="/api/wallet-passes/apple">
          Add to Apple Wallet
        </AnchorButton>
      )}
      {wallets.includes('google') && (
        <Button variant="secondary" block busy={busy} busyLabel="Opening..." onClick={saveAtGoogle}>
          Add to Google Wallet
        </Button>
      )}
    </div>
  );
}
