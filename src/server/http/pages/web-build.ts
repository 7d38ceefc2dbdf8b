import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RenderFrame } from '../../../contract/page-frame.ts';

/** Where the build leaves it, in the folder of the web app. Nobody can ask for it: it names itself in no list. */
export const WEB_BUILD_FILE = '.build.json';

/** The module in that folder which exports `renderFrame`. */
export const FRAMES_FILE = '.page-frames.mjs';

export interface WebFile {
  /** Of the content: another one when a byte changes. */
  etag: string;
  /** The forms for `Content-Encoding` lie beside it: its name with .br and .gz. */
  compressed: boolean;
}

export interface Page {
  side: 'member' | 'staff' | 'visitor';
  /** What it needs beyond what index.html names, by URL. */
  scripts: string[];
}

/** What the web app's build says of itself; scripts/web-build writes it. */
export interface WebBuild {
  /** Everything that a browser may have, by URL. */
  files: Record<string, WebFile>;
  /** By pattern: src/contract/pages.ts. Pages that only redirect are absent. */
  pages: Record<string, Page>;
}

/** Throws when the app has not been built. */
export function readWebBuild(folder: string): WebBuild {
  try {
    return JSON.parse(readFileSync(join(folder, WEB_BUILD_FILE), 'utf8')) as WebBuild;
  } catch (error) {
    throw new Error(`The web app is not built: ${join(folder, WEB_BUILD_FILE)} cannot be read`, {
      cause: error,
    });
  }
}

/** Loads the function that draws what a page shows until its scripts run. Throws when the app has not been built. */
export function readFrames(folder: string): RenderFrame {
  const { renderFrame } = createRequire(import.meta.url)(join(folder, FRAMES_FILE));
  return renderFrame;
}
