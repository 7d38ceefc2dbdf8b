import { createHash } from 'node:crypto';
import { renderSVG } from 'uqr';

export interface TrustPageFacts {
  clubName: string;
  url: string;
  trustUrl: string;
  /** SHA-256 of the authority's certificate, as 32 pairs of digits with colons. */
  fingerprint: string;
  certificatePath: string;
}

interface Device {
  title: string;
  agent: RegExp;
  steps: string[];
}

const DEVICES: Device[] = [
  {
    title: 'iPhone and iPad',
    agent: /iPhone|iPad/,
    steps: [
      'Open this page in Safari, tap Download certificate, then Allow.',
      'Open Settings, General, VPN &amp; Device Management, tap the downloaded profile, then Install.',
      'Open Settings, General, About, Certificate Trust Settings, and turn it on for this certificate.',
    ],
  },
  {
    title: 'Android',
    agent: /Android/,
    steps: [
      'Tap Download certificate, and keep the file.',
      'Open Settings and search for "CA certificate" (under Security, Encryption &amp; credentials, Install a certificate).',
      'Tap CA certificate, Install anyway, and choose the file. Then use Chrome.',
    ],
  },
  {
    title: 'Mac',
    agent: /Macintosh/,
    steps: [
      'Click Download certificate and open the file: Keychain Access adds it to the login keychain.',
      'In Keychain Access, open it, unfold Trust, and choose Always Trust.',
      'Close the window, enter your password, and restart the browser.',
    ],
  },
  {
    title: 'Windows',
    agent: /Windows/,
    steps: [
      'Click Download certificate, open the file, then Install Certificate, Current User.',
      'Choose Place all certificates in the following store, Browse, Trusted Root Certification Authorities.',
      'Finish, answer Yes, and restart the browser.',
    ],
  },
  {
    title: 'Linux, and Firefox everywhere',
    agent: /Linux|CrOS|Firefox/,
    steps: [
      'Click Download certificate.',
      'Chrome: Settings, Privacy and security, Security, Manage certificates: import it as an authority for websites.',
      'Firefox: Settings, Privacy &amp; Security, View Certificates, Authorities, Import: tick websites.',
    ],
  },
];

const STYLE = `
:root{color-scheme:light dark;--paper:#f6f1e7;--card:#fffdf8;--ink:#2a211c;--soft:#6b5d52;--line:#e0d5c3;--wine:#6e1f33;--on-wine:#fff8f0;--link:#6e1f33}
@media (prefers-color-scheme:dark){:root{--paper:#1b1513;--card:#251d1a;--ink:#f3eadd;--soft:#b9a999;--line:#43362f;--wine:#a8425b;--link:#e39aac}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:40rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;display:grid;gap:1.25rem}
h1,h2{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif;line-height:1.2;margin:0 0 .5rem;text-wrap:balance}
h1{font-size:1.75rem}h2{font-size:1.2rem}
p{margin:0 0 .75rem}p:last-child{margin:0}
a{color:var(--link)}
.soft{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem}
.button{display:flex;min-height:50px;align-items:center;justify-content:center;border-radius:8px;background:var(--wine);color:var(--on-wine);font-weight:600;text-decoration:none;padding:.5rem 1rem;text-align:center}
.second{background:none;color:var(--link);border:1px solid var(--line);overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
details{border-top:1px solid var(--line)}
details:first-of-type{border-top:0}
summary{cursor:pointer;font-weight:600;min-height:44px;padding:.6rem 0}
ol{margin:0 0 .75rem;padding-left:1.4rem}li{margin:.25rem 0}
code{display:block;font:14px/1.7 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere;letter-spacing:.02em}
svg{display:block;width:11rem;height:11rem;border-radius:8px}
`;

/** The hash of the page's style, which is all that its Content-Security-Policy allows. */
export const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (it) => `&#${it.charCodeAt(0)};`);

/** The page that helps a device trust the authority, with the requesting device's section open. */
export function trustPage(facts: TrustPageFacts, userAgent: string): string {
  const club = escapeHtml(facts.clubName);
  const url = escapeHtml(facts.url);
  const visitor = DEVICES.find(({ agent }) => agent.test(userAgent));
  const devices = DEVICES.map(
    (device) =>
      `<details${device === visitor ? ' open' : ''}><summary>${device.title}</summary><ol>${device.steps
        .map((step) => `<li>${step}</li>`)
        .join('')}</ol></details>`,
  ).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Open ${club} on this device</title><style>${STYLE}</style></head>
<body><main>
<header><h1>Open ${club} on this device</h1>
<p class="soft">Browsers open the camera only over HTTPS, and no public authority can vouch for a computer on this network. So each device has to trust the certificate that ${club} made, once.</p></header>
<section class="card"><h2>1. Trust the certificate</h2>
<p><a class="button" href="${facts.certificatePath}">Download certificate</a></p>${devices}</section>
<section class="card"><h2>2. Compare its fingerprint</h2>
<p>Before you trust the certificate, look up its SHA-256 fingerprint in the details on your device. It must match the one shown in the window where ${club} was started. If it doesn’t, delete the certificate: someone else on this network sent it.</p>
<code>${facts.fingerprint.replaceAll(':', ' ')}</code></section>
<section class="card"><h2>3. Open ${club}</h2>
<p><a class="button second" href="${url}">${url}</a></p>
<p class="soft">If the name isn’t found, check that the device is on the same network, and that the network lets devices reach each other. Guest networks often don’t.</p></section>
<section class="card"><h2>Another device</h2>
<p>Scan this code with the other device to open this page there.</p>${qrCode(facts.trustUrl)}</section>
<p class="soft">This certificate only works for addresses on a private network and for names that end in .local, .localhost, .home.arpa or .internal, never for a site on the internet. Remove it from the device when you no longer need it.</p>
</main></body></html>
`;
}

const qrCode = (text: string) =>
  renderSVG(text, { ecc: 'M', border: 2 }).replace(
    '<svg ',
    '<svg role="img" aria-label="QR code of this page" ',
  );
