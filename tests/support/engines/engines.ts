import { existsSync } from 'node:fs';
import type { Engine } from './engine.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit } from './webkit.ts';

interface Kind {
  name: string;
  /** Every required file. */
  needs: string[];
  /** The command that installs it on Debian. */
  install: string;
  open(): Promise<Engine>;
}

export const ENGINES: Kind[] = [
  {
    name: 'Firefox',
    needs: [process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr'],
    install: 'apt-get install firefox-esr, or set FIREFOX_PATH',
    open: openFirefox,
  },
  {
    name: 'WebKit',
    needs: [process.env.WEBKIT_DRIVER_PATH ?? '/usr/bin/WebKitWebDriver'],
    install: 'apt-get install webkit2gtk-driver xvfb, or set WEBKIT_DRIVER_PATH',
    open: openWebKit,
  },
];

export const isInstalled = ({ needs }: Kind) => needs.every((path) => existsSync(path));
