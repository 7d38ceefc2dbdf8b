import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { vi } from 'vitest';
import type { DuesNow, FormerHousehold, OwnHousehold, OwnMembership } from '../../../src/contract/members.ts';
import type { GrantLeft } from '../../../src/domain/membership/grants-text.ts';
import type { SessionUser } from '../../../src/web/api/session.ts';
import { forgetSignedIn } from '../../../src/web/api/session.ts';
import { routeTree } from '../../../src/web/app/routes.ts';
import { toast } from '../../../src/web/ui/toast.ts';
import { silentStream } from './silent-stream.ts';

export const ada: SessionUser = {
  id: '0197b1f0-0000-7000-8000-000000000001',
  email: 'ada@demo.test',
  first_name: 'Ada',
  last_name: 'Vine',
  phone: null,
  role: 'customer',
};

export const profile = {
  id: ada.id,
  email: ada.email,
  first_name: ada.first_name,
  last_name: ada.last_name,
  phone: null,
};

export const customer = {
  id: '0197b1f0-0000-7000-8000-0000000000c1',
  user_id: ada.id,
  tier: 'premier',
  status: 'active',
  member_since: '2024-03-01',
  pours_balance: 7,
  total_pours_lifetime: 30,
  last_activity: null,
};

export const application = {
  id: '0197b1f0-0000-7000-8000-0000000000a1',
  user_id: ada.id,
  status: 'pending',
  is_complete: false,
  selected_tier: null as string | null,
  current_step: 2,
  preferences: {
    wine_knowledge: 9,
    drinking_frequency: 5,
    red_wine_preference: 5,
    white_wine_preference: 5,
    adventurousness: 5,
  },
  rated: null as string[] | null,
  stripe_session_id: null as string | null,
  created_at: '2026-01-02T10:00:00.000Z',
};

/** A grant's glasses left, by default of the month's own. */
export const left = (pours: number, of: Partial<GrantLeft> = {}): GrantLeft => ({
  kind: 'period',
  occasion: null,
  pours,
  until: '2030-03-17T17:46:40.000Z',
  ...of,
});

export const availablePours = {
  access: true,
  available_pours: 7,
  grants: [left(7)],
  pours_used: 3,
  held_pours: 0,
  tier_max: 10,
  period_pours: 10,
  pours_when_paid: 0,
  carried_pours: 0,
  rolled_pours: 0,
  rolled_left: 0,
  resets_at: 1_900_000_000,
};

export const me = {
  profile,
  customer: null as typeof customer | null,
  pours: availablePours as typeof availablePours | null,
  benefits: [],
  celebrations: [],
  tiers_up: [] as OwnMembership['tiers_up'],
  dues: null as DuesNow | null,
  membership_ever: false,
  ends: null as { last_day: string; ends_at: string; is_gift: boolean; by_member: boolean } | null,
  if_canceled: null as { ends_at: string; overdue: boolean } | null,
  household: null as OwnHousehold | null,
  has_free_seat: false,
  former_household: null as FormerHousehold | null,
  decision: null as { status: string; reviewed_at: string; tier: string } | null,
  application: null as typeof application | null,
};

/**
 * A response of the stubbed server: a value is sent as JSON with 200. A function gets the body and returns a value or a
 * Response.
 */
export type Answer = unknown | ((body: unknown) => unknown);

interface Call {
  call: string;
  body: unknown;
  /** Absent for a URL without one. */
  query?: Record<string, string>;
}

const defaults: Record<string, Answer> = {
  'GET /api/session': { user: ada },
  'GET /api/customers/own': me,
  'POST /api/functions/verify-subscription-status': { status: 'unchanged', localStatus: 'none' },
  'POST /api/functions/generate-qr-token': {
    token: 'A'.repeat(40),
    expires_at: 1_800_000_000,
  },
  'GET /api/paper-cards/own': null,
  'POST /api/functions/get-subscription-details': { subscription: null },
  'GET /api/billing/payments': [],
  'GET /api/personal-emails/own': { wanted: true },
  'GET /api/billing/pause': {
    obstacle: 'not_offered',
    again_at: null,
    months_a_year: 3,
    choices: [],
    pause: null,
  },
  'GET /api/household': { role: 'none', other: null, obstacle: 'tier_for_one', invitation: null, pours: [] },
  'GET /api/guest-glasses': { limit: 1, used: 0, can_give: true, glasses: [] },
  'GET /api/pours/own': [],
  'GET /api/gifts': [],
  'GET /api/ratings/question': null,
  'GET /api/palate': { words: {}, glasses: 0, matches: [] },
  'GET /api/tiers': [],
  'GET /api/tier-names': [
    { tier_name: 'select', display_name: 'Select' },
    { tier_name: 'premier', display_name: 'Premier' },
    { tier_name: 'reserve', display_name: 'Reserve' },
    { tier_name: 'elite', display_name: 'Elite' },
    { tier_name: 'connoisseur', display_name: 'Connoisseur' },
    { tier_name: 'household', display_name: 'Household' },
  ],
  'GET /api/pours/months': [],
  'GET /api/pours/rolled-over': [],
  'GET /api/profile/taste': null,
  'GET /api/auth/email-change': { email: ada.email, sends_email: true, pending: null },
  'GET /api/sessions': [],
  'GET /api/passkeys': [],
  'GET /api/push-devices': { server_key: 'BAAA', devices: [] },
  'GET /api/events': silentStream,
};

export const refuse = (status: number, body: unknown) => () => Response.json(body, { status });

/** One of the API's refusals. */
export const refusal = (status: number, code: string, message?: string, data?: unknown) =>
  refuse(status, { defined: true, code, status, message, data });

/** Replaces fetch. Records the calls in order. A test can change `answers` at any time. */
export function stubServer(answers: Record<string, Answer> = {}) {
  const table: Record<string, Answer> = { ...defaults, ...answers };
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = new Request(new URL(typeof input === 'string' ? input : input.url, 'http://localhost'), {
      method: typeof input === 'string' ? init?.method : input.method,
    });
    const text = typeof input === 'string' ? String(init?.body ?? '') : await input.clone().text();
    const body: unknown = text ? JSON.parse(text) : undefined;
    const { pathname, searchParams } = new URL(request.url);
    const call = `${request.method} ${pathname}`;
    calls.push({ call, body, ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }) });
    if (!(call in table)) throw new Error(`No answer is set for ${call}`);
    const answer = table[call];
    const value = typeof answer === 'function' ? await answer(body) : answer;
    return value instanceof Response ? value : Response.json(value);
  });
  return {
    calls,
    answers: table,
    count: (call: string) => calls.filter((made) => made.call === call).length,
  };
}

/** Renders the whole app at a path, like the browser; with `embedded`, in a document that names the signed-in user. */
export function openApp(path: string, { embedded = false } = {}) {
  if (!embedded) forgetSignedIn();
  toast.dismiss();
  window.scrollTo = () => undefined;
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree, history, defaultPendingMs: 5_000, defaultPendingMinMs: 0 });
  render(<RouterProvider router={router} />);
  return { router, path: () => router.state.location.pathname };
}
