import { useSyncExternalStore } from 'react';
import { dismissInstallHint, install, installHint, subscribeInstall } from '../../api/device/install.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** How to install the app, below everything else, from the second visit until dismissed. */
export function InstallHint() {
  const way = useSyncExternalStore(subscribeInstall, installHint);
  if (!way) return null;
  return (
    <Notice
      title="Your card, one tap away"
      action={
        <div className="flex flex-wrap gap-3">
          {way === 'prompt' && (
            <Button variant="secondary" size="sm" onClick={() => void install()}>
              Add to Home Screen
            </Button>
          )}
          <Button variant="quiet" size="sm" onClick={dismissInstallHint}>
            {way === 'prompt' ? 'Not Now' : 'Got It'}
          </Button>
        </div>
      }
    >
      {way === 'prompt'
        ? 'Add this app to your home screen. It opens at your card, even offline.'
        : 'Tap Share, then Add to Home Screen. The app opens at your card, even offline.'}
    </Notice>
  );
}
