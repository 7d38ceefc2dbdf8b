import { readLocal, tabStorage, writeLocal } from '../local-storage.ts';
import { createStore } from '../store.ts';

/** The event that Chromium fires if the app can be installed; TypeScript has no type for it. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** How the app is installed: the browser offers it, or the user follows instructions. */
export type InstallWay = 'prompt' | 'share';

const VISITS = 'cellar-door:visits';
/** Set in this tab once the visit is counted. */
const COUNTED = 'cellar-door:visit';
/** Set once the hint is dismissed or the app installed: it never shows again. */
const DONE = 'cellar-door:install-hint';

const installPrompt = createStore<InstallPrompt | null>(null);

/** Counts the visit, and holds back the browser's own prompt until it is needed. Call once, before the page is drawn. */
export function watchInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installPrompt.set(event as InstallPrompt);
  });
  window.addEventListener('appinstalled', dismissInstallHint);
  if (tabStorage.read(COUNTED) !== null || !tabStorage.write(COUNTED, 1)) return;
  const visits = readLocal(VISITS);
  writeLocal(VISITS, typeof visits === 'number' ? visits + 1 : 1);
}

const isInstalled = () =>
  window.matchMedia('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true;

/** How to install the app, from the second visit until the hint is dismissed; null for no hint. */
export function installHint(): InstallWay | null {
  const visits = readLocal(VISITS);
  if (typeof visits !== 'number' || visits < 2 || readLocal(DONE) !== null || isInstalled()) return null;
  if (installPrompt.get()) return 'prompt';
  return /iPhone|iPad/.test(navigator.userAgent) ? 'share' : null;
}

export const subscribeInstall = installPrompt.subscribe;

export function dismissInstallHint(): void {
  writeLocal(DONE, true);
  installPrompt.set(null);
}

/** Shows the browser's prompt. The hint does not show again after either answer. */
export async function install(): Promise<void> {
  const prompt = installPrompt.get();
  dismissInstallHint();
  await prompt?.prompt();
}
