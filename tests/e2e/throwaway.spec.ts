import { createServer } from 'node:http';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import jsQR from 'jsqr';
import { expect, expectNoAxeViolations, setColourScheme, test } from '../support/browser.ts';
import { frameToRgba, qrFrame, writeVideo } from '../support/camera.ts';
import { chromiumFlags, fakeCameraFlags } from '../support/chromium.ts';


test('jsqr direct', () => {
  for (const look of [{}, { rotate: 30 }, { blur: 2, noise: 40 }, { invert: true }, { covered: 0.2, ecc: 'H' as const }, { contrast: 0.4 }]) {
    const f = qrFrame('hello wine', look);
    expect(jsQR(frameToRgba(f), f.width, f.height)?.data, JSON.stringify(look)).toBe('hello wine');
  }
});
test.describe('camera', () => {
  test('sees', async ({ openWithCamera, browser }, info) => {
    const page = await openWithCamera([qrFrame('cellar-door-member-token-0123456789abcdef', { ecc: 'H', rotate: 12, noise: 20, blur: 1 })]);
    const js = readFileSync('node_modules/jsqr/dist/jsQR.js', 'utf8');
    const s = createServer((_q, r) => { r.setHeader('content-type', 'text/html'); r.end('<!doctype html><html lang=en><title>t</title><main><h1>hi</h1><video autoplay playsinline muted></video></main>'); }).listen(0);
    await page.goto(`http://localhost:${(s.address() as any).port}/`);
    await page.addScriptTag({ content: js.replace('typeof exports', 'typeof undefinedexports') });
    const t = Date.now();
    const got = await page.evaluate(async () => {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      const v = document.querySelector('video')!; v.srcObject = stream; await v.play();
      for (let i = 0; i < 30; i++) {
        const c = document.createElement('canvas'); c.width = v.videoWidth; c.height = v.videoHeight;
        const x = c.getContext('2d')!; x.drawImage(v, 0, 0); const d = x.getImageData(0, 0, c.width, c.height);
        const q = (window as any).jsQR(d.data, c.width, c.height); if (q) return [q.data, c.width, c.height, i];
        await new Promise((r) => setTimeout(r, 100));
      }
      return 'none';
    });
    console.log(info.project.name, browser.version(), got, Date.now() - t);
    expect(got[0]).toBe('cellar-door-member-token-0123456789abcdef');
    await setColourScheme(page, 'dark');
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    await expectNoAxeViolations(page);
    s.close();
  });
});
test('console error fails', async ({ page }) => { await page.evaluate(() => console.error('bad')); });
test('page error fails', async ({ page }) => { await page.evaluate(() => { setTimeout(() => { throw new Error('worse'); }, 0); }); await page.waitForTimeout(100); });
test('allowed', async ({ page, allowErrors }) => { allowErrors(/bad/); await page.evaluate(() => console.error('bad')); });
test('axe fails', async ({ page }) => { await page.setContent('<img src="data:,">'); await expectNoAxeViolations(page); });
