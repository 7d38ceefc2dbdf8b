import { useLayoutEffect } from 'react';
import { type DocumentTheme, documentTheme, THEME_COOKIE } from '../../contract/site.ts';
import { deviceSetting } from '../api/device-setting.ts';

export type Theme = 'system' | DocumentTheme;

/** In seconds: the longest that browsers store a cookie. Each start renews it. */
const COOKIE_LIFETIME = 400 * 86_400;

export const themeSetting = deviceSetting<Theme>(
  'cellar-door:theme',
  (value) => documentTheme(value) ?? 'system',
);

/** The color of the browser's own bar: --color-background of styles/tokens.css. */
const BAR_COLORS = { light: '#f6f0e4', dark: '#171110' };

/** The number of pages on screen that are dark unless light was chosen. */
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

function storeCookie(): void {
  const theme = themeSetting.read();
  const lifetime = theme === 'system' ? 0 : COOKIE_LIFETIME;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
  document.cookie = `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${lifetime}; SameSite=Lax${secure}`;
}

export function startTheme(): void {
  const update = () => {
    applyTheme();
    storeCookie();
  };
  update();
  themeSetting.subscribe(update);
}

/** Makes a page dark unless light was chosen on this device: at a dark bar a light screen blinds. */
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
