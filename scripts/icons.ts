import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumFlags, findChromium } from '../tests/support/harness/chromium.ts';

// Draws the icons of the installed app from the favicon. Run it when the logo changes: node scripts/icons.ts

const site = resolve(import.meta.dirname, '../src/web/public');
const favicon = readFileSync(join(site, 'favicon.svg'), 'utf8');

/** The logo on a background without rounded corners, for systems that cut icons into their own shape. */
function fullBleed(scale: number): string {
  const background = /<rect [^>]*\/>/.exec(favicon)?.[0] ?? '';
  const square = background.replace(/ rx="\d+"/, '');
  const inset = 32 * (1 - scale);
  return favicon
    .replace(background, `${square}<g transform="translate(${inset} ${inset}) scale(${scale})">`)
    .replace('</svg>', '</g></svg>');
}

// A mask may cut off everything outside the middle 80%.
const icons = [
  { name: 'icon-192', size: 192, svg: favicon },
  { name: 'icon-512', size: 512, svg: favicon },
  { name: 'maskable-192', size: 192, svg: fullBleed(0.8) },
  { name: 'maskable-512', size: 512, svg: fullBleed(0.8) },
  { name: 'apple-touch-icon', size: 180, svg: fullBleed(0.92) },
];

const { executablePath, env } = await findChromium();
const browser = await chromium.launch({
  executablePath,
  args: chromiumFlags,
  env: { ...(process.env as Record<string, string>), ...env },
});
mkdirSync(join(site, 'icons'), { recursive: true });
for (const { name, size, svg } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>html,body{margin:0;background:transparent}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  );
  await page.screenshot({ path: join(site, 'icons', `${name}.png`), omitBackground: true });
  await page.close();
}
await browser.close();
