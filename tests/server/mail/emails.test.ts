import { describe, expect, it, test } from 'vitest';
import { duesEmails } from '../../../src/server/billing/notices/dues-emails.ts';
import { giftEmails } from '../../../src/server/billing/notices/gift-emails.ts';
import { paymentEmails } from '../../../src/server/billing/notices/payment-emails.ts';
import { standingEmails } from '../../../src/server/billing/notices/standing-emails.ts';
import { tierEmails } from '../../../src/server/billing/notices/tier-emails.ts';
import {
  billingEmail,
  EMAIL_VENUE,
  everyEmail,
  type Names,
  SAMPLED_KINDS,
} from '../../support/fixtures/every-email.ts';

const NAMES: Names = {
  first_name: 'Ada',
  thing: 'Work phone',
  tier: 'Select',
  provider: 'Vineyard ID',
  venue: EMAIL_VENUE,
};
const emails = everyEmail(NAMES);

/** The text of the HTML, without tags. */
function seen(html: string): string {
  return html
    .replace(/^[\s\S]*<h1/, '<h1')
    .replace(/<\/?a\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

const buttons = (html: string) =>
  [...html.matchAll(/class="button"[^>]*><a href="([^"]*)"/g)].map(([, url]) =>
    url?.replaceAll('&amp;', '&'),
  );

const linked = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'));

const OWN = 'https://club.example';

// Kind, subject, the button's target, words of both parts.
test.each<[string, string, string | null, string]>([
  ['password reset', 'Choose a new password', `${OWN}/reset-password#token`, 'works once, for 30 minutes'],
  ['an invitation to the staff', 'Join our staff', `${OWN}/invitation#token`, 'works once, for 72 hours'],
  ['an imported account', 'Your account is ready', `${OWN}/reset-password#token`, 'works once, for 14 days'],
  ['confirming an email', 'Confirm your email', `${OWN}/verify-email#token`, 'someone entered your email at'],
  ['an account that exists', 'You already have an account', `${OWN}/login`, `${OWN}/forgot-password`],
  ['a password reset done', 'Your password was changed', null, 'Your passkeys were also removed.'],
  ['a password changed', 'Your password was changed', `${OWN}/forgot-password`, 'API clients were removed'],
  ['a passkey added', 'A passkey was added', `${OWN}/forgot-password`, 'Work phone'],
  ['a passkey removed', 'A passkey was removed', null, 'Work phone'],
  [
    'an unused account',
    'Your account will be deleted on July 13, 2026',
    `${OWN}/login`,
    'To keep it, sign in',
  ],
  ['an account deleted', 'Your account was deleted', null, "You won't be charged again."],
  [
    'an account deleted by staff',
    'Your account was deleted',
    null,
    'As we were asked, we deleted this account',
  ],
  ['an unused account deleted', 'Your account was deleted', null, "hadn't used your account for a long time"],
  ['second step on', 'Two-step sign-in was turned on', `${OWN}/forgot-password`, 'a code from your phone'],
  ['second step off', 'Two-step sign-in was turned off', `${OWN}/forgot-password`, 'only your password'],
  [
    'second step locked',
    'Someone entered wrong codes for your account',
    `${OWN}/forgot-password`,
    'ten wrong codes',
  ],
  ['second step off, by the venue', 'Two-step sign-in was turned off', `${OWN}/account`, 'As requested'],
  ['an account linked', 'Vineyard ID was linked to your account', `${OWN}/forgot-password`, 'Vineyard ID'],
  [
    'an account unlinked',
    'Vineyard ID is no longer linked to your account',
    `${OWN}/forgot-password`,
    'You can no longer sign in with Vineyard ID.',
  ],
  [
    'an API client',
    'An API client was given access to your account',
    `${OWN}/forgot-password`,
    '"Work phone"',
  ],
  ['an application approved', 'Your application was approved', `${OWN}/qr-code`, 'with 4 pours each month'],
  ['an application rejected', 'Your application was not accepted', `${OWN}/apply`, "didn't accept it"],
  ['a new member', 'Welcome to our wine club', `${OWN}/qr-code`, 'Our terms: https://winery.example/terms'],
  ['a member again', 'Welcome back', `${OWN}/qr-code`, '1 pour from an unpaid month'],
  ['receipt', 'Receipt', 'https://invoice.stripe.com/i/acct_1/test_1', 'your payment of $39.00'],
  ['receipt for a change within a period', 'Receipt', `${OWN}/account`, 'your payment of $20.00'],
  [
    'an end on a later day',
    'Your membership will end',
    `${OWN}/account`,
    "on August 13, 2026, we'll charge $39.00.",
  ],
  [
    'a declined new card',
    'Your new payment method was declined',
    `${OWN}/account`,
    'Visa •••• 4242 was declined: there isn’t enough money on it.',
  ],
  [
    'a payment to confirm, on hold',
    'Please confirm your payment',
    'https://invoice.stripe.com/i/acct_1/test_1',
    'Your membership is on hold until the payment goes through.',
  ],
  ['a failed payment', 'Your payment failed', `${OWN}/account`, "2 of this month's 8 pours"],
  ['a refund', 'Your refund is on its way', `${OWN}/account`, 'charged twice for the same membership'],
  [
    'a refund by staff',
    'Your refund is on its way',
    `${OWN}/account`,
    '$10.00 of the $39.00 you paid on July 13, 2026',
  ],
  ['a payment that went through after all', 'Your payment went through', `${OWN}/dashboard`, 'active again'],
  ['a renewal to come', 'Your membership renews soon', `${OWN}/account`, 'On August 13, 2026'],
  [
    'a renewal to come',
    'Your membership renews soon',
    `${OWN}/account`,
    `You can skip August: you won't be charged until September 13, 2026, and have no pours in between. ${OWN}/account?skip=true`,
  ],
  ['once a year', 'Your membership at a glance', `${OWN}/account`, 'since July 13, 2025'],
  ['a cancellation', 'Your cancellation is confirmed', `${OWN}/account`, 'until August 13, 2026'],
  [
    'a cancellation with a last charge',
    'Your cancellation is confirmed',
    `${OWN}/account`,
    "until August 13, 2026. That day we'll charge $12.00",
  ],
  ['a cancellation taken back', 'Your membership continues', `${OWN}/dashboard`, 'renews as before'],
  [
    'an end to come',
    'Your membership ends soon',
    `${OWN}/account`,
    'Select membership ends on August 13, 2026',
  ],
  ['the end', 'Your membership has ended', `${OWN}/apply`, "you won't be charged again"],
  ['the end with a last charge', 'Your membership has ended', `${OWN}/apply`, 'The last charge is $12.00'],
  [
    'the end for an overdue payment',
    'Your membership has ended',
    `${OWN}/apply`,
    "couldn't collect your last",
  ],
  [
    'the end by canceling while overdue',
    'Your membership has ended',
    `${OWN}/apply`,
    'while a payment was due',
  ],
  ['on hold', 'Your membership is on hold', `${OWN}/account`, 'as soon as the payment goes through'],
  [
    'a larger tier',
    'Your new tier',
    `${OWN}/dashboard`,
    '4 more pours until August 13, 2026, 8 a month from then.',
  ],
  [
    'a smaller tier, scheduled',
    'Your tier change is scheduled',
    `${OWN}/account`,
    'will change to Select, $39.00 per month',
  ],
  [
    'a tier, scheduled by staff',
    'Your tier change is scheduled',
    `${OWN}/account`,
    "If you weren't expecting this, please write to us.",
  ],
  ['a smaller tier, now', 'Your new tier', `${OWN}/dashboard`, 'You now have 4 pours a month.'],
  ['a scheduled tier taken back', 'Your tier stays the same', `${OWN}/dashboard`, 'staying on Premier'],
  [
    'a new price',
    'Your price changes on August 13, 2026',
    `${OWN}/account`,
    'will cost $45.00 plus tax per month',
  ],
  [
    'another tier, by the venue',
    'Your membership changes on August 13, 2026',
    `${OWN}/account`,
    'will change from Select to Premier, with 8 pours a month',
  ],
  ['a gift on a card', 'Your gift is ready', `${OWN}/gift`, 'Your card is ready to print.'],
  ['a gift by email', 'Your gift is ready', `${OWN}/gift`, "We'll email it on August 13, 2026, after 9 AM."],
  ['a gift given back', 'Your refund is on its way', `${OWN}/gift`, 'Its code no longer works.'],
  [
    'a gift redeemed',
    'Welcome to our wine club',
    `${OWN}/dashboard`,
    'Your membership ends on August 13, 2026',
  ],
  ['a gift that ends soon', 'Your gift ends soon', `${OWN}/account`, 'lasts through August 13, 2026'],
  ['a gift that ended', 'Thank you for being with us', `${OWN}/apply`, "and you won't be"],
  [
    'the gift itself',
    'A gift for you',
    `${OWN}/redeem#ABCD-EFGH-JKMN-PQRS-TVWX&email=ben%40friends.test`,
    'Anna gave you 6 months',
  ],
  [
    'glasses from last month',
    'Use your pours from last month',
    null,
    'You have 2 pours left from last month, to use by August 13, 2026.',
  ],
  ['a new price taken back', 'Your price stays the same', `${OWN}/account`, "You'll stay on Select"],
  ['an end by staff', 'Your membership will end', `${OWN}/account`, "We're ending your membership."],
  ['an end by staff in a pause', 'Your membership will end', `${OWN}/account`, 'It stays paused until'],
  ['the end by staff, at once', 'Your membership has ended', null, 'We ended your membership today'],
  [
    'dues to come',
    'Your membership is paid for another week',
    `${OWN}/dashboard`,
    'is paid until August 13, 2026. To keep it, pay $39.00 a month at the bar',
  ],
  [
    'dues overdue',
    'Your membership is due',
    `${OWN}/dashboard`,
    'was paid until August 13, 2026. Please pay $39.00 at the bar by August 20, 2026, or it ends.',
  ],
  [
    'the end for unpaid dues',
    'Your membership has ended',
    `${OWN}/apply`,
    'was paid until August 13, 2026, and has ended.',
  ],
  [
    'a year paid online',
    'Welcome to our wine club',
    `${OWN}/dashboard`,
    'Its last day is August 13, 2026. It ends by itself',
  ],
  [
    'a year that follows a card',
    'Your year is paid',
    `${OWN}/account`,
    'Your year of Select begins on August 13, 2026',
  ],
  [
    'a year that ends soon',
    'Your year ends soon',
    `${OWN}/account`,
    'The last day of your Select year is August 13, 2026.',
  ],
  [
    'a card that follows',
    'Your membership continues by card',
    `${OWN}/account`,
    'your card is charged for the first time on August 13, 2026',
  ],
  [
    'the end of a membership on the house',
    'Your membership ends soon',
    `${OWN}/apply`,
    'was on the house, and its last day is August 13, 2026.',
  ],
])('%s', (kind, subject, button, words) => {
  const { subject: line, text, html } = emails[kind] ?? { subject: '', text: '', html: '' };
  expect(line).toBe(`${subject} · Cellar Door`);
  expect(html).toContain(`${subject}</h1>`);
  expect(buttons(html)).toEqual(button === null ? [] : [button]);
  if (button) expect(text).toContain(`: ${button}\n`);
  for (const part of [text.replace(/\s+/g, ' '), seen(html)]) {
    // An invited person's name is not known yet.
    expect(part).toContain(kind === 'an invitation to the staff' ? 'Hello there, ' : 'Hello Ada, ');
    expect(part).toContain(words);
    expect(part).toContain('Questions? Write to help@club.example.');
    expect(part).toMatch(/You're receiving this email because .* at Cellar Door\./);
  }
});

it('the table above has every email, and every kind of email about billing', () => {
  expect(Object.keys(emails).filter((kind) => !kind.endsWith(', to the partner'))).toHaveLength(77);
  const { gift: _, ...toMembers } = giftEmails;
  const written = Object.keys({
    ...toMembers,
    ...standingEmails,
    ...paymentEmails,
    ...tierEmails,
    ...duesEmails,
  });
  expect([...SAMPLED_KINDS].sort()).toEqual(written.sort());
});

describe('to the partner of a household', () => {
  const BACK = 'The membership you share is active again';
  const OVER = 'The membership you share is not active';
  it.each([
    ['a member again', BACK, 'Your card works again'],
    ['a gift redeemed', BACK, 'Your card works again'],
    ['a year paid online', BACK, 'Your card works again'],
    ['a payment that went through after all', BACK, 'Your card works again'],
    ['a pause that ended early', BACK, 'Your card works again'],
    ['the end', OVER, 'for now'],
    ['the end for an overdue payment', OVER, 'for now'],
    ['on hold', OVER, 'for now'],
    ['a gift that ended', OVER, 'for now'],
    ['the end for unpaid dues', OVER, 'for now'],
    ['an end on a later day', 'The membership you share will end', 'It will end on December 13, 2026.'],
    [
      'a pause',
      'The membership you share will pause',
      'On October 13, 2026, the membership will start again',
    ],
    ['a pause made at Stripe', 'The membership you share is paused', 'since August 13, 2026'],
    ['a pause taken back', "The membership you share won't pause", 'You both keep your pours.'],
    ['a cancellation', 'The membership you share will end', 'You both keep your pours until then.'],
    ['a cancellation in a pause', 'The membership you share will end', 'It stays paused until then.'],
    ['a cancellation taken back', 'The membership you share continues', "It won't end after all."],
  ])('%s: %s, and nothing about money', (kind, subject, words) => {
    const {
      subject: line,
      text,
      html,
    } = emails[`${kind}, to the partner`] ?? { subject: '', text: '', html: '' };
    expect(line).toBe(`${subject} · Cellar Door`);
    expect(buttons(html)).toEqual([`${OWN}/household`]);
    expect(text).toContain("This is about Select's membership, which you share.");
    expect(text).toContain(words);
    expect(text).not.toMatch(/\$|charge|pay|paid|renew/i);
  });

  it('receipts, prices and tiers go to the holder only', () => {
    const kinds = [
      'receipt',
      'a failed payment',
      'a refund',
      'a new price',
      'a renewal to come',
      'a larger tier',
      'dues to come',
      'dues overdue',
      'a year that ends soon',
      'a year that follows a card',
      'a card that follows',
    ];
    expect(kinds.filter((kind) => `${kind}, to the partner` in emails)).toEqual([]);
  });
});

it('emails that are not about payments, membership or account can be turned off, and no others', () => {
  const can = Object.entries(emails).filter(([, { text, html }]) => {
    expect(html.includes('/unsubscribe"')).toBe(text.includes('/unsubscribe'));
    return text.includes('Turn off emails like this one');
  });
  expect(can.map(([kind]) => kind)).toEqual(['glasses from last month']);
});

it('a month that can be skipped is named by the day at the venue', () => {
  const on = (at: string) =>
    billingEmail(
      {
        ...{ type: 'renewal_reminder', cause: 'c', user_id: 'u', tier: 'select', amount_cents: 3900 },
        ...{ monthly_cents: 3900, currency: 'usd', tax_behavior: 'unspecified', price_change: null },
        ...{ renews_at: new Date(at), skip_until: new Date('2026-09-02T16:00:00Z') },
      },
      'Ada',
      EMAIL_VENUE,
    ).text;
  expect(on('2026-08-01T03:59:00Z')).toContain('You can skip July:');
  expect(on('2026-08-01T04:00:00Z')).toContain('You can skip August:');
});

it('a receipt says tier, period, invoice and amount', () => {
  const { text = '', html = '' } = emails.receipt ?? {};
  expect(text).toContain(
    'Membership: Select\nPeriod: July 13 – August 13, 2026\nInvoice: A1B2-0001\nPaid: $39.00',
  );
  expect(seen(html)).toContain(
    'Membership Select Period July 13 – August 13, 2026 Invoice A1B2-0001 Paid $39.00',
  );
});

describe('every email', () => {
  it('says the same in both parts', () => {
    for (const { text, html } of Object.values(emails)) {
      const shown = seen(html);
      for (const paragraph of text.split(/\n+/)) {
        // A button's URL is behind its words, and a fact's colon is a column.
        const words = paragraph.replace(
          /^(Your code|Gift|Membership|Period|Invoice|Paid|Amount due|Payment method|Pay by|Another year|By the month): /,
          '$1 ',
        );
        const url = linked(html).find((it) => words.endsWith(`: ${it}`));
        expect(shown).toContain(url ? words.slice(0, -url.length - 2) : words);
      }
    }
  });

  it('loads nothing, runs nothing, tracks nobody, and has a dark version', () => {
    for (const { html } of Object.values(emails)) {
      expect(html).not.toMatch(
        /<(img|script|link|iframe|form|object|svg)\b|\bsrc=|\bbackground=|url\(|@import/i,
      );
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).toContain('prefers-color-scheme:dark');
    }
  });

  it('loads the club’s logo, if any, from the same URL for everyone, with its name as alternative text', () => {
    const logo = { url: 'https://club.example/club-logo.png?v=abc', width: 600, height: 100 };
    const name = 'Ada "A" & <Sons>';
    for (const { html } of Object.values(
      everyEmail({ ...NAMES, venue: { ...EMAIL_VENUE, club_name: name, logo } }),
    )) {
      expect(html.match(/<(img|script|link|iframe|form|object|svg)\b[^>]*>/gi)).toEqual([
        expect.stringMatching(
          /^<img src="https:\/\/club\.example\/club-logo\.png\?v=abc" alt="Ada &quot;A&quot; &amp; &lt;Sons&gt;" width="240" height="40" /,
        ),
      ]);
    }
  });

  it('links to the venue, to its terms and to the invoice, and to nothing else', () => {
    const urls = Object.values(emails).flatMap(({ html }) =>
      [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url),
    );
    const known =
      /^(https:\/\/club\.example\/|https:\/\/winery\.example\/terms$|https:\/\/invoice\.stripe\.com\/|mailto:help@club\.example$)/;
    expect(urls.filter((url) => !known.test(url))).toEqual([]);
  });
});

describe('hostile names', () => {
  const tags = (html: string) => html.match(/<[^>]*>/g)?.length ?? 0;
  const shape = (html: string) => html.replace(/>[^<]*(?=<)/g, '>');
  const hostile = '</p><img src=x onerror="alert(1)"><a href=\'https://evil.example/\'>&lt;';
  const url = 'https://evil.example/login';

  it.each([
    ['markup', hostile],
    ['a URL', url],
    ['a URL that begins like ours', 'https://club.example.evil.example/'],
  ])('%s in any of them is plain text, and never a link', (_, name) => {
    const bad = everyEmail({
      first_name: name,
      thing: name,
      tier: name,
      provider: name,
      venue: { ...EMAIL_VENUE, club_name: name },
    });
    for (const [kind, { html }] of Object.entries(bad)) {
      const { html: good = '' } = emails[kind] ?? {};
      expect(tags(html)).toBe(tags(good));
      expect(shape(html)).toBe(shape(good));
      expect(html).not.toMatch(/href="[^"]*evil/);
      expect(seen(html)).toContain(name.replace(/\s+/g, ' '));
    }
  });
});
