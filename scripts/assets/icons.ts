import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumOptions } from '../../tests/support/harness/chromium.ts';

// Draws the icons of the installed app and of passes from the favicon. Run it when the logo changes:
//
//     npx node scripts/assets/icons.ts

const site = resolve(import.meta.dirname, '../../src/web/public');
const passImages = resolve(import.meta.dirname, '../../src/server/wallet/images');
const favicon = readFileSync(join(site, 'favicon.svg'), 'utf8');

/** The logo on a background without rounded corners, for systems that crop icons to their own shape. */
function fullBleed(scale: number): string {
  const background = /<rect [^>]*\/>/.exec(favicon)?.[0] ?? '';
  const square = background.replace(/ rx="\d+"/, '');
  const inset = 32 * (1 - scale);
  return favicon
    .replace(background, `${square}<g transform="translate(${inset} ${inset}) scale(${scale})">`)
    .replace('</svg>', '</g></svg>');
}

// A mask may cut off everything outside the middle 80%.
const app = [
  { name: 'icon-192', size: 192, svg: favicon },
  { name: 'icon-512', size: 512, svg: favicon },
  { name: 'maskable-192', size: 192, svg: fullBleed(0.8) },
  { name: 'maskable-512', size: 512, svg: fullBleed(0.8) },
  { name: 'apple-touch-icon', size: 180, svg: fullBleed(0.92) },
];

/** For passes in Apple Wallet, at one, two and three pixels per point. */
const wallet = [1, 2, 3].flatMap((scale) => {
  const suffix = scale > 1 ? `@${scale}x` : '';
  return [
    { name: `icon${suffix}`, size: 29 * scale, svg: fullBleed(0.92) },
    { name: `logo${suffix}`, size: 50 * scale, svg: favicon },
  ];
});

const browser = await chromium.launch(await chromiumOptions());
const targets = [
  ...app.map((icon) => ({ ...icon, folder: join(site, 'icons') })),
  ...wallet.map((icon) => ({ ...icon, folder: passImages })),
];
for (const { name, size, svg, folder } of targets) {
  mkdirSync(folder, { recursive: true });
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>html,body{margin:0;background:transparent}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  );
  await page.screenshot({ path: join(folder, `${name}.png`), omitBackground: true });
  await page.close();
}
await browser.close();
