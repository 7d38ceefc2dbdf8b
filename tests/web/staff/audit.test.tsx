import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import { formatAmount } from '../../../src/domain/money.ts';
import { AUDIT, AUDIT_ACTS, type AuditedAct, auditDetail } from '../../../src/domain/staff/audit.ts';
import { readAuditSearch } from '../../../src/web/staff/audit/audit-search.ts';
import { fileUrl } from '../../../src/web/staff/csv-link.tsx';
import { CLUB_LABELS } from '../../../src/web/staff/settings/club-labels.ts';
import { PERMISSION_TEXT } from '../../../src/web/staff/team/permission-text.ts';
import { bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const ADA = '0197b1f0-0000-7000-8000-0000000000c1';
const approved: AuditEntry = {
  id: '0197b1f0-0000-7000-8000-0000000000a1',
  at: '2026-06-15T12:00:00.000Z',
  actor: { user_id: bruno.id, name: 'Bruno Keller' },
  device: 'Chrome on Android',
  act: 'application_approved',
  subject: { user_id: ADA, name: 'Ada Vine' },
  facts: { application_id: ADA, tier: 'premier' },
};
const priced: AuditEntry = {
  ...approved,
  id: '0197b1f0-0000-7000-8000-0000000000a2',
  actor: null,
  device: 'Command line',
  act: 'tier_changed',
  subject: null,
  facts: { tier: 'premier', price_cents: 7900, price_cents_before: 6900 },
};

function openAudit(search = '', page: object = { entries: [approved, priced], next_cursor: null }) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_staff'] } }),
    'GET /api/team': () => [],
    'GET /api/audit': () => page,
  });
  openStaffApp(`/staff/audit${search}`);
  const asked = () => Object.fromEntries(server.made('GET /api/audit').at(-1)?.query ?? []);
  return { server, asked };
}

test('an entry says what was done, who did it on which device, and to whom', async () => {
  openAudit();
  const row = (await screen.findByText('Application approved', { selector: 'span' })).closest('li');
  expect(row?.textContent).toContain('Premier');
  expect(row?.textContent).toContain('By Bruno Keller on Chrome on Android');
  expect(row?.textContent).toContain('To Ada Vine');
  const price = screen.getByText('Tier changed', { selector: 'span' }).closest('li');
  expect(price?.textContent).toContain('Premier: $69.00 to $79.00');
  expect(price?.textContent).toContain('Command line');
});

test('a name filters the list and the export, and the URL keeps the filter', async () => {
  const { asked } = openAudit(`?what=application_approved`);
  await userEvent.click(await screen.findByRole('link', { name: 'Ada Vine' }));
  await waitFor(() => expect(asked()).toEqual({ what: 'application_approved', whom: ADA }));
  const file = await screen.findByRole('link', { name: 'Export CSV' });
  expect(file.getAttribute('href')).toBe(`/api/audit/csv?what=application_approved&whom=${ADA}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Only what was done to Ada Vine' }));
  await waitFor(() => expect(file.getAttribute('href')).toBe('/api/audit/csv?what=application_approved'));
});

test('a day filters once its year is typed in full', async () => {
  const { server, asked } = openAudit();
  const from = await screen.findByLabelText('From');
  const before = server.made('GET /api/audit').length;
  fireEvent.change(from, { target: { value: '0202-06-01' } });
  expect((from as HTMLInputElement).value).toBe('0202-06-01');
  expect(server.made('GET /api/audit')).toHaveLength(before);
  fireEvent.change(from, { target: { value: '2026-06-01' } });
  await waitFor(() => expect(asked()).toEqual({ from: '2026-06-01' }));
});

test('an empty audit and a filter without matches have different messages', async () => {
  openAudit('', { entries: [], next_cursor: null });
  await screen.findByText('Nothing yet');
  cleanup();
  openAudit('?what=staff_removed', { entries: [], next_cursor: null });
  await screen.findByText('No matching entries');
});

test('a failure can be tried again', async () => {
  const { server } = openAudit();
  await screen.findByText('Application approved', { selector: 'span' });
  cleanup();
  server.answers['GET /api/audit'] = () => refusal(409, 'NOT_NOW', 'Not now.');
  openStaffApp('/staff/audit');
  await screen.findByText('We couldn’t load the audit');
  server.answers['GET /api/audit'] = () => ({ entries: [], next_cursor: null });
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findByText('Nothing yet');
});

test('a URL with an unknown filter shows everything', () => {
  expect(
    readAuditSearch({ who: 'noor', what: 'Dance!', whom: 7, from: '1999-01-01', to: '2026-02-31' }),
  ).toEqual({});
  expect(readAuditSearch({ who: 'command_line', to: '2026-02-28' })).toEqual({
    who: 'command_line',
    to: '2026-02-28',
  });
  expect(fileUrl('/api/audit/csv', {})).toBe('/api/audit/csv');
});

test('an act that this version doesn’t know filters nothing', async () => {
  const { asked } = openAudit('?what=constructor');
  await screen.findByText('Application approved', { selector: 'span' });
  expect(asked()).toEqual({});
});

const detail = (entry: Omit<AuditedAct, 'subject_id'>) =>
  auditDetail(entry as AuditEntry, {
    money: (cents) => formatAmount(cents, 'usd'),
    tierLabel: (tier) => ({ elite: 'Grand Cru' })[tier] ?? tier,
    permissionLabel: (permission) => PERMISSION_TEXT[permission].label,
    clubLabel: (field) => CLUB_LABELS[field],
  });

test('every act has its own words', () => {
  expect(new Set(AUDIT_ACTS.map((act) => AUDIT[act].label)).size).toBe(AUDIT_ACTS.length);
  expect(detail({ act: 'pour_voided', facts: { pour_id: 'x', glasses: 2, recorded_by_id: 'y' } })).toBe(
    '2 pours',
  );
  expect(detail({ act: 'signed_out_everywhere', facts: { sessions: 1, api_clients: 0 } })).toBe(
    '1 device, 0 API clients',
  );
  expect(
    detail({
      act: 'tier_changed',
      facts: { tier: 'elite', glasses: 9, glasses_before: 8, words: 'changed' },
    }),
  ).toBe('Grand Cru: 8 to 9 pours, words');
  expect(detail({ act: 'tier_recommended', facts: { tier: null } })).toBe('none');
  expect(detail({ act: 'permission_taken', facts: { permission: 'see_reports' } })).toBe('See reports');
});

const signUp = { application_id: ADA, tier: 'elite' } as const;
const gift = { gift_id: ADA, glasses: 1 };
test.each<[Omit<AuditedAct, 'subject_id'>, string]>([
  [{ act: 'email_sent', facts: { email: 'password' } }, 'first password'],
  [{ act: 'email_sent', facts: { email: 'confirmation' } }, 'confirmation of the email'],
  [{ act: 'email_sent', facts: { email: 'receipt' } }, 'last receipt'],
  [{ act: 'email_sent', facts: { email: 'welcome' } }, 'welcome'],
  [
    { act: 'member_signed_up', facts: { ...signUp, paid: 'by phone', account: 'made' } },
    'Grand Cru, to be paid by phone: New account',
  ],
  [
    { act: 'member_signed_up', facts: { ...signUp, paid: 'at the venue', account: 'found' } },
    'Grand Cru, paid at the venue: Existing account',
  ],
  [
    { act: 'member_signed_up', facts: { ...signUp, paid: 'on the house', account: 'taken_over' } },
    'Grand Cru, on the house: Existing account, which lost all access set up before',
  ],
  [{ act: 'staff_added', facts: { account: 'promoted' } }, 'Existing account'],
  [{ act: 'glasses_given', facts: { ...gift, kind: 'comp' } }, 'On the house: +1 pour'],
  [{ act: 'glasses_given', facts: { ...gift, kind: 'correction' } }, 'Correction: +1 pour'],
  [{ act: 'membership_ended', facts: { when: 'now', reason: 'moving' } }, 'Right away: Moving away'],
  [
    { act: 'membership_ended', facts: { when: 'period_end', reason: 'price' } },
    'At the end of the paid month: Too expensive',
  ],
])('the audit says of %j: %s', (entry, words) => {
  expect(detail(entry)).toBe(words);
});
