import { readLocal, writeLocal } from '../local-storage.ts';

/** What Chromium fires where the app can be installed; TypeScript does not know it. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** How the app gets onto the home screen: the browser asks, or its owner finds the way. */
export type InstallWay = 'prompt' | 'share';

const VISITS = 'cellar-door:visits';
/** In this tab: the visit was counted. */
const COUNTED = 'cellar-door:visit';
/** The hint was shown, or the app was installed: never again. */
const DONE = 'cellar-door:install-hint';

let held: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

/** Call once, before the page is drawn: counts the visit, and keeps the browser's own bar away until someone wants it. */
export function watchInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    held = event as InstallPrompt;
    announce();
  });
  window.addEventListener('appinstalled', () => {
    dismissInstallHint();
  });
  try {
    if (sessionStorage.getItem(COUNTED) !== null) return;
    sessionStorage.setItem(COUNTED, '1');
  } catch {
    return;
  }
  const visits = readLocal(VISITS);
  writeLocal(VISITS, typeof visits === 'number' ? visits + 1 : 1);
}

const isInstalled = () =>
  window.matchMedia('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true;

/** How to install the app, from the second visit on and until the hint was shown once; null for no hint. */
export function installHint(): InstallWay | null {
  const visits = readLocal(VISITS);
  if (typeof visits !== 'number' || visits < 2 || readLocal(DONE) !== null || isInstalled()) return null;
  if (held) return 'prompt';
  return /iPhone|iPad/.test(navigator.userAgent) ? 'share' : null;
}

/** Calls back when installHint may say something else. Returns how to stop. */
export function subscribeInstall(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For good, on this device. */
export function dismissInstallHint(): void {
  writeLocal(DONE, true);
  held = null;
  announce();
}

/** Lets the browser ask. Whatever the answer is, it is not asked for again. */
export async function install(): Promise<void> {
  const prompt = held;
  dismissInstallHint();
  await prompt?.prompt();
}
