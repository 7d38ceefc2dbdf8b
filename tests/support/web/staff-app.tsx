import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { vi } from 'vitest';
import type { MemberDetail } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { forgetSession } from '../../../src/web/api/session.ts';
import { routeTree } from '../../../src/web/app/routes.ts';
import { toast } from '../../../src/web/ui/toast.ts';
import { silentStream } from './silent-stream.ts';

export const bruno = {
  id: '0197b1f0-0000-7000-8000-0000000000b1',
  email: 'bruno@demo.test',
  first_name: 'Bruno',
  last_name: 'Keller',
  phone: null,
  role: 'staff' as const,
};

/** The member in the response to a verified card. */
export const ada = {
  id: '0197b1f0-0000-7000-8000-0000000000c1',
  first_name: 'Ada',
  last_name: 'Vine',
  tier: 'premier',
  pours_balance: 7,
};

interface Asked {
  query: URLSearchParams;
  body: Record<string, unknown>;
}
export type Answer = (request: Asked) => unknown;

/** The response of members.getBarCard. */
export const adaAtBar = {
  ...ada,
  user_id: '0197b1f0-0000-7000-8000-000000000001',
  tier_label: 'Premier',
  allergies: null,
  grants: [],
  period_pours: 10,
  pours_when_paid: 0,
  pours_return_on: null,
  standing: 'active',
  dispute: null,
  no_access_since: null,
  grace_until: null,
  ends_at: null,
  last_visit: null,
  last_pour: null,
  benefits: [],
  celebrations: [],
  gift: null,
  hundredth_next: false,
  service: { pours: [], limits: { amber: 3, water: 4 } },
};

/** The response of members.get. */
export const adasPage: MemberDetail = {
  customer: {
    id: ada.id,
    user_id: adaAtBar.user_id,
    tier: 'premier',
    status: 'active',
    member_since: '2024-03-01',
    pours_balance: 7,
    total_pours_lifetime: 31,
    last_activity: null,
  },
  profile: {
    id: adaAtBar.user_id,
    email: 'ada@demo.test',
    first_name: 'Ada',
    last_name: 'Vine',
    phone: '555 0100',
  },
  photo: null,
  household: null,
  tier_display_name: 'Premier',
  has_active_membership: true,
  standing: 'venue',
  no_access_since: null,
  pours_return_on: null,
  next_billing_date: null,
  ends_at: null,
  pause: null,
  available_pours: 7,
  grants: [],
  period_pours: 10,
  has_preferences: false,
  former: false,
};

/** The response of pours.record. */
export const recorded = (pours_balance: number) => ({
  pour: {
    id: '0197b1f0-0000-7000-8000-0000000000d1',
    quantity: 1,
    location: 'main_bar',
    notes: null,
    status: 'redeemed',
    toast_reference_number: 'POUR-1',
    created_at: '2026-03-01T10:00:00.000Z',
  },
  pours_balance,
  repeated: false,
});

export const refusal = (status: number, code: string, message: string, data?: unknown) =>
  Response.json({ defined: true, code, status, message, data }, { status });

const TIER_NAMES = [
  { tier_name: 'select', display_name: 'Select' },
  { tier_name: 'premier', display_name: 'Premier' },
  { tier_name: 'reserve', display_name: 'Reserve' },
  { tier_name: 'elite', display_name: 'Elite' },
  { tier_name: 'connoisseur', display_name: 'Connoisseur' },
  { tier_name: 'household', display_name: 'Household' },
];

/** The response of memberDues.get for a member who never paid at the venue. */
const noDues: Dues = {
  ...{ state: null, paid_until: null, grace_until: null, price_cents: 0, year_cents: null },
  ...{ currency: 'usd', months_begin: [], entries: [], tiers_up: [], pending_tier: null, by_card_from: null },
};

const notFound = () => refusal(404, 'NOT_FOUND', 'Not found.', { what: 'customer' });

/** Responses that pages need besides a test's own. Without them, parts of a page turn into errors after a while. */
const defaults: Record<string, Answer> = {
  'GET /api/session': () => ({ user: bruno }),
  'GET /api/venue-events': silentStream,
  'GET /api/staff-notices': () => [],
  'GET /api/applications/count': () => ({ pending: 0 }),
  'GET /api/auth/email-change': () => ({ email: bruno.email, sends_email: true, pending: null }),
  'GET /api/sessions': () => [],
  'GET /api/passkeys': () => [],
  'GET /api/staff-pin': () => ({ set: false, locked: false }),
  'GET /api/api-clients': () => [],
  'GET /api/tier-names': () => TIER_NAMES,
  'GET /api/tags': () => [],
  'GET /api/wines/open': () => [],
  'GET /api/customers': () => ({ members: [], next_cursor: null }),
  'GET /api/reports/tonight': () => ({
    since: '2026-01-02T15:00:00.000Z',
    poured: [],
    members_came: 0,
    joined: 0,
    applications: 0,
    overdue: 0,
  }),
  ...Object.fromEntries(
    [ada.id, adaAtBar.user_id].flatMap((id) => [
      [`GET /api/customers/${id}/account`, notFound],
      [`GET /api/customers/${id}/bar`, notFound],
      [`GET /api/customers/${id}/dues`, () => noDues],
      [`GET /api/customers/${id}/gifts`, () => []],
      [`GET /api/customers/${id}/membership-end`, notFound],
      [`GET /api/customers/${id}/pours`, () => []],
      [`GET /api/customers/${id}/palate`, () => ({ ratings: [], suggestions: [] })],
      [`GET /api/customers/${id}/timeline`, () => ({ entries: [], next_cursor: null })],
      [
        `GET /api/customers/${id}/record`,
        () => ({ notes: [], tags: [], all_tags: [], about: { allergies: null, birthday: null } }),
      ],
    ]),
  ),
};

/** Replaces fetch. Records the calls. A test can change `answers` at any time. */
export function stubStaffServer(answers: Record<string, Answer>) {
  const table: Record<string, Answer> = { ...defaults, ...answers };
  const calls: (Asked & { call: string })[] = [];
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const asked = typeof input === 'string' ? { url: input, method: init?.method ?? 'GET' } : input;
    const url = new URL(asked.url, 'http://localhost');
    const text = typeof input === 'string' ? '' : await input.clone().text();
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
    const call = `${asked.method} ${url.pathname}`;
    calls.push({ call, query: url.searchParams, body });
    const answer = table[call];
    if (!answer) throw new Error(`No answer is set for ${call}`);
    const value = await answer({ query: url.searchParams, body });
    return value instanceof Response ? value : Response.json(value);
  });
  return { answers: table, made: (call: string) => calls.filter((each) => each.call === call) };
}

/** Renders the whole app at a path, optionally with the state of its history entry, as after a reload. */
export function openStaffApp(path: string, state?: Record<string, unknown>) {
  forgetSession();
  toast.dismiss();
  window.scrollTo = () => undefined;
  const history = createMemoryHistory({ initialEntries: ['/'] });
  history.replace(path, state);
  const router = createRouter({ routeTree, history, defaultPendingMs: 5_000, defaultPendingMinMs: 0 });
  const { unmount } = render(<RouterProvider router={router} />);
  return {
    unmount,
    path: () => router.state.location.pathname,
    hash: () => router.state.location.hash,
    back: () => history.back(),
    state: () => ({ ...router.state.location.state }) as Record<string, unknown>,
  };
}
