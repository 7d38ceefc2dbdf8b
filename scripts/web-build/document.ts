import type { Plugin } from 'vite';

/** The fonts of nearly all text; those of seldom letters stay on demand. */
const PRELOADED_FONT = /\/(title|text)-english-[\w-]{8}\.woff2$/;

/**
 * The browser finds the fonts only once the stylesheet has been fetched and parsed: preloading the two that every page
 * needs, in the document itself, saves that round trip.
 */
export function preloadFonts(): Plugin {
  return {
    name: 'cellar-door:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => PRELOADED_FONT.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

/**
 * The server fills the placeholder when it serves the page; src/web/api/site.ts reads it. It is inserted here
 * because the linter reads index.html as it stands, and a bare placeholder is not JSON.
 */
export function siteData(): Plugin {
  return {
    name: 'cellar-door:site-data',
    transformIndexHtml: () => [
      {
        tag: 'script',
        attrs: { type: 'application/json', id: 'site' },
        children: '__SITE__',
        injectTo: 'head' as const,
      },
    ],
  };
}
