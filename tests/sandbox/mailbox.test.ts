import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Email } from '../../sandbox/mailbox/emails.ts';
import { startHarness } from '../support/sandbox/harness.ts';

async function send(smtpUrl: string, message: { to: string; subject: string; text?: string; html?: string }) {
  const transport = nodemailer.createTransport(smtpUrl);
  await transport.sendMail({ from: '"The Club" <club@example.test>', ...message });
  transport.close();
}

async function messages(url: string, to?: string): Promise<Email[]> {
  const query = to ? `?to=${encodeURIComponent(to)}` : '';
  const body = (await (await fetch(`${url}/mailbox/api/messages${query}`)).json()) as { messages: Email[] };
  return body.messages;
}

describe('mailbox', () => {
  test('catches emails, newest first, and finds them by recipient', async () => {
    const { sandbox } = await startHarness();
    await send(sandbox.smtpUrl, { to: 'Ada@example.test', subject: 'Willkommen, schön', text: 'Hello\n' });
    await send(sandbox.smtpUrl, {
      to: 'grace@example.test',
      subject: 'Second',
      text: 'x',
      html: '<p>Hi</p>',
    });
    expect((await messages(sandbox.url)).map((email) => email.subject)).toEqual([
      'Second',
      'Willkommen, schön',
    ]);
    const [email] = await messages(sandbox.url, 'ada@example.test');
    expect(email).toMatchObject({
      from: 'club@example.test',
      from_name: 'The Club',
      to: ['Ada@example.test'],
    });
    expect(email?.text.trim()).toBe('Hello');
  });

  test('shows emails without running their scripts', async () => {
    const { sandbox } = await startHarness();
    expect(await (await fetch(`${sandbox.url}/mailbox`)).text()).toContain('No email yet');
    await send(sandbox.smtpUrl, {
      to: 'ada@example.test',
      subject: '<script>alert(1)</script>',
      text: 'Go to https://club.test/verify?token=a&b=c.',
      html: '<script>alert(2)</script><a href="https://club.test/">go</a>',
    });
    const [email] = await messages(sandbox.url);
    const list = await (await fetch(`${sandbox.url}/mailbox`)).text();
    expect(list).toContain('&lt;script&gt;alert(1)');
    expect(list).not.toContain('<script>alert(1)');
    const view = await (await fetch(`${sandbox.url}/mailbox/${email?.id}`)).text();
    expect(view).toMatch(/<iframe[^>]*sandbox="[^"]*"/);
    expect(view).not.toMatch(/sandbox="[^"]*allow-scripts/);
    const text = await (await fetch(`${sandbox.url}/mailbox/${email?.id}?part=text`)).text();
    expect(text).toContain('<a href="https://club.test/verify?token=a&amp;b=c">');
    expect(text).not.toContain('<iframe');
    const frame = await fetch(`${sandbox.url}/mailbox/${email?.id}/html`);
    expect(frame.headers.get('content-security-policy')).toContain("script-src 'none'");
    expect((await fetch(`${sandbox.url}/mailbox/mail_none`)).status).toBe(404);
  });

  test('can be emptied for one recipient or all, and survives a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const first = await startHarness({ dataDir });
    for (const to of ['a@x.test', 'b@x.test', 'c@x.test'])
      await send(first.sandbox.smtpUrl, { to, subject: to, text: 'x' });
    const gone = await fetch(`${first.sandbox.url}/mailbox/api/messages?to=b@x.test`, { method: 'DELETE' });
    expect(await gone.json()).toEqual({ deleted: 1 });
    await first.sandbox.close();
    const second = await startHarness({ dataDir });
    expect((await messages(second.sandbox.url)).map((email) => email.subject)).toEqual([
      'c@x.test',
      'a@x.test',
    ]);
    await fetch(`${second.sandbox.url}/mailbox/api/messages`, { method: 'DELETE' });
    expect(await messages(second.sandbox.url)).toEqual([]);
  });
});
