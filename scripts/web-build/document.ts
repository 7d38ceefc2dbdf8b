import type { Plugin } from 'vite';

/** The fonts for nearly all text; fonts for rare characters load on demand. */
const PRELOADED_FONT = /\/(title|text)-english-[\w-]{8}\.woff2$/;

/**
 * Adds preloads of the two fonts that every page needs to the document. The browser would otherwise find them only after
 * fetching and parsing the stylesheet, one round trip later.
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
 * Inserts the placeholder that the server fills when it serves the page; src/web/api/site.ts reads it. It is not in
 * index.html, where the linter would read it as JSON, which a bare placeholder is not.
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
