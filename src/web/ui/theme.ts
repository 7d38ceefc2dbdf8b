import { useLayoutEffect } from 'react';
import { deviceSetting } from '../api/device-setting.ts';

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What was chosen on this device. */
export const themeSetting = deviceSetting<Theme>(
  'cellar-door:theme',
  (kept) => THEMES.find((theme) => theme === kept) ?? 'system',
);

/** The color of the browser's own bar: --color-background of styles/tokens.css. */
const BAR_COLORS = { light: '#f6f0e4', dark: '#171110' };

/** How many of the pages on screen are dark unless light was chosen. */
let darkPages = 0;

/** Puts the theme on the document; without data-theme, the system's theme applies. */
function applyTheme(): void {
  const chosen = themeSetting.read();
  const fallback = darkPages > 0 ? 'dark' : null;
  const theme = chosen === 'system' ? fallback : chosen;
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = BAR_COLORS[theme ?? (meta.media.includes('dark') ? 'dark' : 'light')];
  }
}

/** Applies the theme now and whenever it changes. Called once, when the app starts. */
export function startTheme(): void {
  applyTheme();
  themeSetting.subscribe(applyTheme);
}

/** At a dark bar a light screen blinds: pages that call this are dark unless light was chosen on this device. */
export function useDarkByDefault(): void {
  useLayoutEffect(() => {
    darkPages += 1;
    applyTheme();
    return () => {
      darkPages -= 1;
      applyTheme();
    };
  }, []);
}
