import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { formatDateTime } from '../../../src/web/format/dates.ts';
import type { Answer } from '../../support/web/staff-app.tsx';
import { openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const id = '0197b1f0-0000-7000-8000-0000000000a1';
const application = {
  id,
  user_id: '0197b1f0-0000-7000-8000-000000000001',
  status: 'pending',
  is_complete: true,
  selected_tier: 'reserve' as string | null,
  current_step: 2,
  preferences: null as Record<string, unknown> | null,
  rated: null as string[] | null,
  created_at: '2026-03-04T19:05:00.000Z',
  applicant: { first_name: 'Ada', last_name: 'Vine', email: 'ada@demo.test', phone: '555 0100' },
  notes: null as string | null,
  reviewed_at: null as string | null,
};
const list = 'GET /api/applications';
const search = 'POST /api/applications/search';
const count = 'GET /api/applications/count';
const countFound = 'POST /api/applications/search/count';
const detail = `GET /api/applications/${id}`;
const approve = `POST /api/applications/${id}/approve`;
const reject = `POST /api/applications/${id}/reject`;

const page = (applications: unknown[]) => ({ applications, next_cursor: null });
const tier = {
  tier_name: 'reserve',
  display_name: 'Reserve Club',
  monthly_price: 65,
  yearly_price: null,
  monthly_pours: 8,
  description: 'Older bottles.',
  is_active: false,
};

function serve(answers: Record<string, Answer> = {}) {
  return stubStaffServer({
    [list]: () => page([application]),
    [search]: () => page([application]),
    [count]: () => ({ total: 7, pending: 4 }),
    [countFound]: () => ({ total: 1, pending: 4 }),
    [detail]: () => application,
    'GET /api/tiers/reserve': () => tier,
    'GET /api/tiers/select': () => refusal(404, 'NOT_FOUND', 'Not found.', { what: 'tier' }),
    ...answers,
  });
}
async function openOne(answers: Record<string, Answer> = {}) {
  const server = serve(answers);
  openStaffApp(`/staff/applications/${id}`);
  await screen.findByRole('heading', { name: 'Ada Vine' });
  return server;
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('the list', () => {
  test('shows counts, a card and its link; pending and all tiers by default', async () => {
    const server = serve();
    openStaffApp('/staff/applications');
    await screen.findByText('Loading applications...');
    const name = await screen.findByRole('heading', { name: 'Ada Vine' });
    const card = within(name.closest('li') as HTMLElement);
    for (const text of ['ada@demo.test', 'Pending', 'Reserve', /Applied/]) card.getByText(text);
    expect(card.queryByText(/Reviewed/)).toBeNull();
    expect(card.getByRole('link', { name: /View Details/ }).getAttribute('href')).toBe(
      `/staff/applications/${id}`,
    );
    expect(screen.getByText('Total Applications').parentElement?.textContent).toContain('7');
    expect(screen.getByText('Pending Review').parentElement?.textContent).toContain('4');
    const { query } = server.made(list)[0] ?? {};
    expect([query?.get('status'), query?.get('tier')]).toEqual(['pending', 'all']);
  });

  test('an application that stopped after step 1 is marked unfinished', async () => {
    serve({ [list]: () => page([application, { ...application, id: 'b', is_complete: false }]) });
    openStaffApp('/staff/applications');
    expect(await screen.findAllByText('Pending', { selector: 'li *' })).toHaveLength(2);
    expect(screen.getAllByText('Unfinished')).toHaveLength(1);
  });

  test('filters and search are sent to the server', async () => {
    const server = serve();
    openStaffApp('/staff/applications');
    await screen.findByRole('heading', { name: 'Ada Vine' });
    const options = (label: string) =>
      [...screen.getByLabelText<HTMLSelectElement>(label).options].map((it) => it.textContent);
    expect(options('Status')).toEqual(['All Statuses', 'Pending', 'Approved', 'Rejected']);
    expect(options('Tier').slice(0, 4)).toEqual(['All Tiers', 'Select', 'Reserve', 'Connoisseur']);
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Rejected');
    await userEvent.selectOptions(screen.getByLabelText('Tier'), 'Connoisseur');
    await userEvent.type(screen.getByPlaceholderText('Search by name or email...'), 'ada');
    await waitFor(() => {
      expect(server.made(search).at(-1)?.body).toEqual({
        status: 'rejected',
        tier: 'connoisseur',
        search: 'ada',
      });
    });
  });

  test('an empty list says so, and one that cannot be loaded offers to try again', async () => {
    serve({ [list]: () => page([]) });
    openStaffApp('/staff/applications');
    await screen.findByText('No applications found');
    cleanup();
    serve({ [list]: () => refusal(400, 'BAD_REQUEST', 'Bad') });
    openStaffApp('/staff/applications');
    await screen.findByText('Failed to load applications');
    screen.getByRole('button', { name: 'Try Again' });
  });
});

describe('one application', () => {
  test('the applicant, the tier, the fallbacks, the timestamps', async () => {
    await openOne();
    for (const text of ['Pending', 'ada@demo.test', '555 0100', 'Application Details']) {
      screen.getByText(text);
    }
    await screen.findByText('Reserve Club');
    for (const text of ['$65', 'Older bottles.', 'Monthly Pours', '8']) screen.getByText(text);
    for (const [label, fallback] of [
      ['Wine Preferences', 'Not specified'],
      ['Tasting Notes', 'Not specified'],
      ['Visit Frequency', 'Not specified'],
      ['Additional Comments', 'No additional comments'],
    ] as const) {
      expect(screen.getByText(label).nextElementSibling?.textContent).toBe(fallback);
    }
    screen.getByText(formatDateTime(application.created_at));
    expect(screen.queryByText('Reviewed')).toBeNull();
    expect(screen.queryByText('Staff Notes')).toBeNull();
  });

  test('both sets of answers are shown', async () => {
    const preferences = {
      wine_knowledge: 9,
      adventurousness: 2,
      wineTypes: ['Red', 'Sparkling'],
      tastingNotes: 'Cherry',
      visitFrequency: 'Weekly',
      comments: 'Window seat',
    };
    await openOne({ [detail]: () => ({ ...application, preferences }) });
    for (const text of ['9 of 10', '2 of 10', 'Red, Sparkling', 'Cherry', 'Weekly', 'Window seat']) {
      screen.getByText(text);
    }
    expect(screen.queryByText('Not specified')).toBeNull();
  });

  test('ratings that the applicant left as offered are marked so', async () => {
    const preferences = { wine_knowledge: 9, adventurousness: 5 };
    await openOne({ [detail]: () => ({ ...application, preferences, rated: ['wine_knowledge'] }) });
    expect(screen.getAllByText('Left as offered')).toHaveLength(1);
    expect(screen.getByText('Left as offered').parentElement?.textContent).toContain('5 of 10');
    cleanup();
    await openOne({ [detail]: () => ({ ...application, preferences, rated: null }) });
    expect(screen.queryByText('Left as offered'), 'unknown is not claimed').toBeNull();
  });

  test('without a tier it shows as Select, defined or not', async () => {
    await openOne({ [detail]: () => ({ ...application, selected_tier: null }) });
    await screen.findByText('Select');
  });

  test('a reviewed application shows notes and time, and cannot be reviewed again', async () => {
    const reviewed_at = '2026-03-05T09:00:00.000Z';
    await openOne({
      [detail]: () => ({ ...application, status: 'rejected', notes: 'Too young', reviewed_at }),
    });
    screen.getByText('Rejected');
    screen.getByText('Too young');
    screen.getByText(formatDateTime(reviewed_at));
    expect(screen.queryByRole('button', { name: /Application$/ })).toBeNull();
  });

  test.each([id, 'none'])('not found: %s', async (at) => {
    serve({ [detail]: () => refusal(404, 'NOT_FOUND', 'Not found.', { what: 'application' }) });
    openStaffApp(`/staff/applications/${at}`);
    await screen.findByText('Application not found');
    expect(screen.queryByText('Failed to load application details')).toBeNull();
  });

  test('an application that cannot be loaded', async () => {
    serve({ [detail]: () => refusal(400, 'BAD_REQUEST', 'Bad') });
    openStaffApp(`/staff/applications/${id}`);
    await screen.findByText('Failed to load application details');
  });
});

describe('approving', () => {
  async function ask(answers: Record<string, Answer> = {}) {
    const server = await openOne(answers);
    await userEvent.click(screen.getByRole('button', { name: 'Approve Application' }));
    await screen.findByText('Enter the point-of-sale reference number to create the membership.');
    return server;
  }
  const confirm = () => screen.getByRole('button', { name: 'Approve & Create Membership' });
  const box = () => screen.getByLabelText(/Reference Number \*$/);

  test('needs the reference number', async () => {
    const server = await ask({ [approve]: () => ({}) });
    expect(confirm()).toHaveProperty('disabled', true);
    await userEvent.type(box(), '   ');
    await userEvent.click(confirm());
    await screen.findByText('Toast reference number is required');
    expect(server.made(approve)).toEqual([]);
  });

  test('says which membership it creates, and that the applicant is notified', async () => {
    await ask();
    const dialog = within(screen.getByRole('dialog'));
    dialog.getByText(/^Ada’s membership:/);
    dialog.getByText('Reserve Club');
    dialog.getByText(/at \$65 per month, billed at the venue\./);
    dialog.getByText('Ada gets an email and sees the decision on their dashboard.');
  });

  test('of an unfinished application says that no tier was chosen, and which one it gives', async () => {
    await ask({ [detail]: () => ({ ...application, is_complete: false, selected_tier: null }) });
    screen.getByText('This application is unfinished');
    const dialog = within(screen.getByRole('dialog'));
    dialog.getByText(/No tier was chosen\. Ada’s membership:/);
    dialog.getByText('Select');
  });

  test('sends the number trimmed, shows a toast, and the application as approved', async () => {
    const server = await ask({ [approve]: () => ({ customer_id: id, membership_id: id }) });
    server.answers[detail] = () => ({ ...application, status: 'approved' });
    await userEvent.type(box(), ' T-100 ');
    await userEvent.click(confirm());
    await screen.findByText('Application approved and membership created');
    await screen.findByText('Approved');
    expect(server.made(approve)[0]?.body).toEqual({
      toast_reference_number: 'T-100',
      months: 1,
      method: null,
      amount_cents: 6500,
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  const amount = () => screen.getByLabelText<HTMLInputElement>('Amount (USD)');

  test('the amount is the price of the chosen months, until another is typed', async () => {
    const server = await ask({ [approve]: () => ({ customer_id: id, membership_id: id }) });
    expect(amount().value).toBe('65');
    await userEvent.type(box(), 'T-100');
    await userEvent.selectOptions(screen.getByLabelText('Paid for'), '12 months');
    expect(amount().value).toBe('780');
    await userEvent.selectOptions(screen.getByLabelText('Paid by'), 'Card machine');
    await userEvent.clear(amount());
    await userEvent.type(amount(), '700.5');
    await userEvent.click(confirm());
    await screen.findByText('Application approved and membership created');
    expect(server.made(approve)[0]?.body).toMatchObject({
      months: 12,
      method: 'card_machine',
      amount_cents: 70_050,
    });
  });

  test('twelve months are offered at the tier’s price of a year', async () => {
    await ask({ 'GET /api/tiers/reserve': () => ({ ...tier, yearly_price: 650 }) });
    await userEvent.selectOptions(screen.getByLabelText('Paid for'), '12 months');
    expect(amount().value).toBe('650');
    screen.getByText('The price of a year: 2 months free.');
  });

  test('an amount that is none is not sent', async () => {
    const server = await ask({ [approve]: () => ({}) });
    await userEvent.type(box(), 'T-100');
    await userEvent.clear(amount());
    await userEvent.type(amount(), 'forty');
    await userEvent.click(confirm());
    await screen.findByText('Enter an amount in USD, such as 39 or 39.50.');
    expect(server.made(approve)).toEqual([]);
  });

  test("after another user's review it says so, and the page shows the result", async () => {
    const server = await ask({
      [approve]: () =>
        refusal(409, 'APPLICATION_NOT_PENDING', 'This application has already been reviewed.', {
          status: 'approved',
        }),
    });
    server.answers[detail] = () => ({ ...application, status: 'approved' });
    await userEvent.type(box(), 'T-100');
    await userEvent.click(confirm());
    await screen.findByText('Failed to approve application');
    screen.getByText('This application has already been reviewed.');
    await screen.findByText('Approved');
  });
});

describe('rejecting', () => {
  async function ask(answers: Record<string, Answer>) {
    const server = await openOne(answers);
    await userEvent.click(screen.getByRole('button', { name: 'Reject Application' }));
    const dialog = within(await screen.findByRole('dialog'));
    return { server, dialog };
  }

  test('says that the applicant is notified without the notes, and where they can find them', async () => {
    const { dialog } = await ask({});
    expect(dialog.getByLabelText('Rejection Notes (Optional)').getAttribute('aria-describedby')).toBeTruthy();
    dialog.getByText(/without these notes\..*a download of their data/);
  });

  test('sends the notes, and says that the application was rejected', async () => {
    const { server, dialog } = await ask({ [reject]: () => application });
    await userEvent.type(dialog.getByLabelText('Rejection Notes (Optional)'), 'Too young');
    await userEvent.click(dialog.getByRole('button', { name: 'Reject Application' }));
    await screen.findByText('Application rejected');
    expect(server.made(reject)[0]?.body).toEqual({ notes: 'Too young' });
  });

  test('a failure keeps the dialog open with what was typed', async () => {
    const { dialog } = await ask({ [reject]: () => Promise.reject(new TypeError('offline')) });
    await userEvent.type(dialog.getByLabelText('Rejection Notes (Optional)'), 'Too young');
    await userEvent.click(dialog.getByRole('button', { name: 'Reject Application' }));
    await screen.findByText('Failed to reject application');
    expect(dialog.getByLabelText('Rejection Notes (Optional)')).toHaveProperty('value', 'Too young');
  });
});
