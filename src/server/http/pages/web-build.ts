import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RenderFrame } from '../../../contract/page-frame.ts';
import type { RenderPublicPage } from '../../../contract/public-page.ts';

/** The build's list in the web app's folder. The list does not name itself, so it cannot be requested. */
export const WEB_BUILD_FILE = '.build.json';

/** The module that exports `renderFrame` and `renderPublicPage`. */
export const FRAMES_FILE = '.page-frames.mjs';

export interface WebFile {
  etag: string;
  /** Compressed forms are stored beside it, with .br and .gz appended. */
  compressed: boolean;
}

export interface Page {
  side: 'member' | 'staff' | 'visitor';
  /** Scripts needed beyond those in index.html, by URL; none for a page that only leads elsewhere. */
  scripts: string[];
}

/** The web app's build list, written by scripts/web-build. */
export interface WebBuild {
  /** Every public file, by URL. */
  files: Record<string, WebFile>;
  /** The app's pages by their path, in which `$` begins a parameter. Every other path gets status 404. */
  pages: Record<string, Page>;
}

/** Throws if the app has not been built. */
export function readWebBuild(folder: string): WebBuild {
  try {
    return JSON.parse(readFileSync(join(folder, WEB_BUILD_FILE), 'utf8')) as WebBuild;
  } catch (error) {
    throw new Error(`The web app is not built: ${join(folder, WEB_BUILD_FILE)} cannot be read`, {
      cause: error,
    });
  }
}

/** A page's first frame, shown until its scripts run. Throws if the app has not been built. */
export function readFrames(folder: string): RenderFrame {
  const { renderFrame } = createRequire(import.meta.url)(join(folder, FRAMES_FILE));
  return renderFrame;
}

/** The public pages' renderer, with the URLs of stylesheets and preloaded fonts. Throws if the app has not been built. */
export function readPublicPages(folder: string) {
  const frames = createRequire(import.meta.url)(join(folder, FRAMES_FILE));
  const render: RenderPublicPage = frames.renderPublicPage;
  const links = readFileSync(join(folder, 'index.html'), 'utf8').match(/<link [^>]+>/g) ?? [];
  const hrefs = (mark: string) =>
    links.filter((it) => it.includes(mark)).flatMap((it) => /href="([^"]+)"/.exec(it)?.[1] ?? []);
  return { render, styles: hrefs('rel="stylesheet"'), fonts: hrefs('as="font"') };
}
