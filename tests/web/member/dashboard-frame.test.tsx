import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { OwnMembership } from '../../../src/contract/members.ts';
import { site } from '../../../src/web/api/site.ts';
import { renderFrame } from '../../../src/web/app/page-frames.tsx';
import { availablePours, customer, left, me, openApp, stubServer } from '../../support/web/member-app.tsx';

const NOW = new Date('2026-11-23T09:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));

const membership = (of: object): OwnMembership =>
  ({ photo: null, consent_due: null, ...me, customer, ...of }) as OwnMembership;

/** The frame in that member's document; null for none. */
const frameFor = (own: OwnMembership, user = { email_verified: true }) =>
  renderFrame('/dashboard', { site, user, own: { membership: own, at: new Date() } });

/** Classes, labels, widths and texts, in order. */
function shapeOf(element: Element): unknown {
  return [
    [...element.classList],
    element.matches('article, [role=img], [role=progressbar]') && element.getAttribute('aria-label'),
    element.getAttribute('width'),
    ...textsOf(element),
    ...[...element.children].map(shapeOf),
  ];
}

const textsOf = (element: Element) =>
  [...element.childNodes]
    .map((child) => (child instanceof Element ? ' ' : child.textContent))
    .join('')
    .split(/\s+/)
    .filter(Boolean);

const PARTS = [
  'header',
  '.nav-page',
  'main',
  'main > div:first-child',
  'article',
  'section[class*=shadow-card]',
];

test.each([
  ['a common month', {}],
  ['glasses from the club', { pours: { ...availablePours, grants: [left(1, { kind: 'given' }), left(6)] } }],
  [
    'more glasses than the tier gives, of which some rolled over',
    {
      pours: {
        ...availablePours,
        available_pours: 12,
        period_pours: 14,
        grants: [left(4, { kind: 'rollover' }), left(8)],
      },
    },
  ],
  ['nothing left', { pours: { ...availablePours, available_pours: 0, pours_used: 10 } }],
  ['many glasses', { pours: { ...availablePours, tier_max: 13 } }],
  ['a tier without colors of its own', { customer: { ...customer, tier: 'grand_cru' } }],
  ['a name with signs', { profile: { ...me.profile, first_name: '<b>&"', last_name: "O'Neill" } }],
])('the dashboard’s placeholder is what the page will show: %s', async (_, of) => {
  const own = membership(of);
  // The venue's tier names arrive later.
  stubServer({ 'GET /api/customers/own': own, 'GET /api/tier-names': [] });
  openApp('/dashboard');
  await screen.findByText('Resets on your monthly billing date');
  const frame = new DOMParser().parseFromString(`<body><div>${frameFor(own)}</div></body>`, 'text/html');
  for (const part of PARTS) {
    const [drawn, shown] = [frame, document].map((it) => it.querySelector(part));
    if (!drawn || !shown) throw new Error(`There is no ${part}`);
    const whole = /article|section|first-child/.test(part);
    expect(whole ? shapeOf(drawn) : [...drawn.classList], part).toEqual(
      whole ? shapeOf(shown) : [...shown.classList],
    );
  }
  for (const part of ['[data-nav-bar]', 'aside']) {
    expect(frame.querySelector(part)?.className, part).toBe(document.querySelector(part)?.className);
  }
  // The frame has nothing that can be pressed before it works, and no styles that the page's policy forbids.
  expect(frame.querySelectorAll('main a, button, input, [style], script')).toHaveLength(0);
});

test.each([
  ['no membership', { customer: null }],
  ['a membership that ended', { customer: { ...customer, status: 'inactive' } }],
  ['terms to agree to', { consent_due: { version: '1', text: 'By continuing', terms: null } }],
  ['a decision', { decision: { status: 'approved', reviewed_at: NOW.toISOString(), tier: 'select' } }],
  [
    'a day to celebrate',
    { celebrations: [{ kind: 'birthday', occasion: 'birthday:2026', years: null, glasses: 1 }] },
  ],
  [
    'an end',
    { ends: { last_day: '2026-12-01', ends_at: NOW.toISOString(), is_gift: false, by_member: false } },
  ],
  [
    'the other’s pause',
    {
      household: {
        role: 'partner',
        first_name: 'Ben',
        pause: { from: NOW.toISOString(), until: null, begun: true },
        ends_at: null,
      },
    },
  ],
  ['a pause', { pours: { ...availablePours, access: false } }],
  ['an unpaid month', { pours: { ...availablePours, pours_when_paid: 4 } }],
  ['glasses of an unpaid month', { pours: { ...availablePours, carried_pours: 1 } }],
  ['more glasses than a row has', { pours: { ...availablePours, tier_max: 25 } }],
])('there is no placeholder for a member whose page has more to say: %s', (_, of) => {
  expect(frameFor(membership({}))).toContain('Good\u00a0morning, Ada');
  expect(frameFor(membership(of))).toBeNull();
});

test('there is no placeholder where the page asks to confirm an email', () => {
  expect(frameFor(membership({}), { email_verified: false })).toBeNull();
});
