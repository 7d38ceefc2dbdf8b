import { encode } from 'uqr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../support/engines/engine.ts';
import { ENGINES, isInstalled } from '../support/engines/engines.ts';
import { person } from '../support/engines/person.ts';
import { newVenueMember, type VenueMember } from '../support/fixtures/accounts.ts';
import { dataFolder, type StartedProcess, startProcess } from '../support/harness/installation.ts';
import { DEMO } from '../support/harness/product.ts';

const installed = ENGINES.filter(isInstalled);
for (const { name, install } of ENGINES.filter((kind) => !isInstalled(kind))) {
  process.stdout.write(`${name} is not installed, so nothing was tried in it: ${install}\n`);
}

let folder: ReturnType<typeof dataFolder>;
let product: StartedProcess;
beforeAll(async () => {
  folder = dataFolder();
  product = await startProcess({ DATA_DIR: folder.path });
});
afterAll(async () => {
  await product.stop();
  folder.remove();
});

it('at least one engine is installed', () => {
  expect(installed.length).toBeGreaterThan(0);
});

/** Replaces the camera: a canvas that shows the code, as a stream. The last reads are timed from here. */
const SHOW_TO_CAMERA = `async (size, rows) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 });
  const draw = canvas.getContext('2d');
  const side = Math.floor(560 / size);
  const paint = () => {
    draw.fillStyle = '#fff';
    draw.fillRect(0, 0, 1280, 720);
    draw.fillStyle = '#000';
    rows.forEach((row, y) => [...row].forEach((it, x) => {
      if (it === '1') draw.fillRect(360 + x * side, 80 + y * side, side, side);
    }));
  };
  setInterval(paint, 50);
  paint();
  const devices = navigator.mediaDevices ?? {};
  const camera = { getUserMedia: async () => canvas.captureStream(20), enumerateDevices: async () => [] };
  for (const [name, value] of Object.entries(camera)) Object.defineProperty(devices, name, { value, configurable: true });
  if (!navigator.mediaDevices) Object.defineProperty(navigator, 'mediaDevices', { value: devices });
}`;

/** Catches downloads and print requests of the page. */
const CATCH_FILES = `async () => {
  window.caught = { files: [], prints: 0 };
  window.print = () => { window.caught.prints += 1; };
  const blobs = new Map();
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const url = make(blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = async function () {
    const blob = blobs.get(this.href);
    const picture = await createImageBitmap(blob);
    window.caught.files.push([this.download, blob.type, picture.width, picture.height]);
  };
}`;

describe.each(installed)('$name', ({ open }) => {
  let engine: Engine;
  let guest: ReturnType<typeof person>;
  let member: VenueMember;
  beforeAll(async () => {
    engine = await open();
    guest = person(engine);
    member = await newVenueMember(product.url);
  });
  afterAll(() => engine.close());

  const signIn = async (email: string, password: string) => {
    await guest.open(`${product.url}/login`);
    await guest.fill('Email', email);
    await guest.fill('Password', password);
    await guest.press('Sign in');
  };
  const signOut = async () => {
    await guest.press('Sign Out');
    await guest.beAt('^/login');
    await guest.see('Sign in to your account');
  };

  it('a visitor registers, joins, pays, and sees their glasses', async () => {
    await guest.open(`${product.url}/register`);
    await guest.fill('First name', 'Grace');
    await guest.fill('Last name', 'Hopper');
    await guest.fill('Email', `grace-${Math.random().toString(36).slice(2)}@example.test`);
    await guest.fill('Password', 'correct horse');
    await guest.fill('Confirm password', 'correct horse');
    await guest.press('Create account');
    await guest.press('Get Started');
    await guest.press('Continue to Membership Selection');
    await guest.see('Choose Your Membership');
    await guest.press('^Continue to Payment');
    await guest.beAt('^/c/pay/cs_');
    await guest.fill('Card number', '4242 4242 4242 4242');
    await guest.fill('Expiration date', '12 / 40');
    await guest.fill('CVC', '123');
    await guest.fill('Name on card', 'Grace Hopper');
    await guest.press('Subscribe');
    await guest.see('Welcome to our wine club! Your membership is now active');
    await guest.beAt('^/dashboard');
    await guest.see('4 / 4');
  });

  it('a member finds each page by its tab', async () => {
    await guest.press('Wines');
    await guest.beAt('^/wines');
    await guest.press('Account');
    await guest.see('Billing');
    await guest.press('Card');
    await guest.beAt('^/qr-code');
    await guest.press('Home');
    await guest.beAt('^/dashboard');
  });

  it('the card is drawn, saved as a picture of 300 by 300, and printed', async () => {
    await guest.open(`${product.url}/qr-code`);
    await guest.see('Your Digital Membership Card');
    await engine.run(CATCH_FILES);
    await guest.press('^Download QR');
    await guest.press('^Print Card');
    const caught = () => engine.run<{ files: unknown[][]; prints: number }>('async () => window.caught');
    await expect.poll(caught).toEqual({
      files: [[expect.stringMatching(/grace.*\.png$/i), 'image/png', 300, 300]],
      prints: 1,
    });
  });

  it('passkeys are offered exactly where the engine has them', async () => {
    const has = await engine.run<boolean>('async () => typeof PublicKeyCredential === "function"');
    await guest.open(`${product.url}/account/security`);
    await guest.see('Where You Are Signed In');
    const offered = () => engine.run<boolean>('async () => /add a passkey/i.test(document.body.innerText)');
    await expect.poll(offered).toBe(has);
    await guest.press('Account');
    await signOut();
  });

  it('the scanner reads a code and opens the pour of that member, which is recorded', async () => {
    await signIn(DEMO.staff, DEMO.password);
    await guest.see('Scan Customer QR Code');
    const { token } = await member.caller.must<{ token: string }>(
      'POST',
      '/api/functions/generate-qr-token',
      {},
    );
    const { data, size } = encode(token, { ecc: 'H', border: 2 });
    const rows = data.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''));
    await engine.run(SHOW_TO_CAMERA, size, rows);
    const began = performance.now();
    await guest.press('Scan Customer QR Code');
    await guest.see('QR Code Detected!');
    const detected = performance.now();
    await guest.press('Capture & Scan QR Code');
    await guest.beAt('/add-pour$');
    await guest.see('Ada Lovelace');
    const opened = performance.now();
    process.stdout.write(
      `the code was read ${(detected - began).toFixed(0)} ms after the scanner was opened, the member shown ${(opened - detected).toFixed(0)} ms later\n`,
    );
    await guest.choose('Bar');
    await guest.press('^Pour 1');
    await guest.see('Pour recorded successfully!');
    await guest.open(`${product.url}/staff/dashboard`);
    await signOut();
  });

  it('the card opens while the server is unavailable', async () => {
    await signIn(member.email, member.password);
    await guest.see('this billing period');
    const kept = () =>
      engine.run<boolean>(`async () => {
      await navigator.serviceWorker.ready;
      return Boolean(localStorage.getItem('cellar-door:card'));
    }`);
    await expect.poll(kept).toBe(true);
    await product.stop();
    try {
      await guest.open(`${product.url}/dashboard`);
      await guest.see('Your Digital Membership Card');
      await guest.see('Ada Lovelace');
    } finally {
      const { port } = new URL(product.url);
      product = await startProcess({ DATA_DIR: folder.path, PORT: port });
    }
  });
});
