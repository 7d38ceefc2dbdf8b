import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { SURVEY_RATINGS } from '../../../src/domain/application.ts';
import { subscriptionConsent, yearConsent } from '../../../src/domain/consent.ts';
import { site } from '../../../src/web/api/site.ts';
import { keepInSurveyDraft, readSurveyDraft } from '../../../src/web/api/survey-draft.ts';
import {
  ada,
  application,
  customer,
  me,
  openApp,
  refusal,
  refuse,
  stubServer,
} from '../../support/web/member-app.tsx';

const mine = 'GET /api/customers/own';
const save = 'PUT /api/applications/own';
const checkout = 'POST /api/functions/create-checkout';
const resuming = 'Resuming your survey from where you left off';
const tiers = ['select', 'premier'].map((tier_name, index) => ({
  tier_name,
  display_name: `The ${tier_name}`,
  monthly_price: 39 + index * 20,
  yearly_price: null,
  monthly_pours: 4 + index * 4,
  guest_glasses: index,
  benefits: [],
  description: `What ${tier_name} is`,
  is_active: true,
}));
/** The text beside the button of the second tier. */
const premier = subscriptionConsent(site, { tier: 'The premier', price: '$59.00' });
const assign = vi.fn();

beforeEach(() => {
  assign.mockReset();
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
});

const start = (answers: Record<string, unknown>) => stubServer({ 'GET /api/tiers': tiers, ...answers });
const goOn = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Continue to Membership Selection' }));

/** The button that leads to payment, by its tier's place in the list. */
const payButton = async (place: number) =>
  (await screen.findAllByRole('button', { name: 'Continue to Payment' }))[place]!;
const textOf = (control: HTMLElement) =>
  control
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

test('step 1: five sliders from 1 to 10 at 5, named ends, Previous disabled, progress, the way back', async () => {
  start({});
  openApp('/apply');
  const sliders = (await screen.findAllByRole('slider')) as HTMLInputElement[];
  expect(sliders.map(({ min, max, step, value }) => [min, max, step, value])).toEqual(
    Array(5).fill(['1', '10', '1', '5']),
  );
  screen.getByText('Beginner');
  screen.getByText('Expert');
  expect((screen.getByRole('button', { name: 'Previous' }) as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getByRole('progressbar', { name: 'Progress' }).getAttribute('aria-valuenow')).toBe('1');
  expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/dashboard');
  expect(screen.queryByText(resuming)).toBeNull();
});

test('sliders look untouched until answered, if only by a tap that moves nothing; a save sends which were', async () => {
  const server = start({ [save]: application });
  openApp('/apply');
  const sliders = await screen.findAllByRole('slider');
  const untouched = () => sliders.map((it) => it.hasAttribute('data-untouched'));
  expect(untouched()).toEqual(Array(5).fill(true));
  fireEvent.change(sliders[0]!, { target: { value: '9' } });
  fireEvent.pointerUp(sliders[1]!);
  expect(untouched()).toEqual([false, false, true, true, true]);
  await goOn();
  await screen.findByText('Progress saved');
  expect(server.calls.find(({ call }) => call === save)?.body).toMatchObject({
    rated: ['wine_knowledge', 'drinking_frequency'],
  });
});

test('leaving step 1 keeps moved sliders until they are saved', async () => {
  start({ [save]: application });
  openApp('/apply');
  fireEvent.change((await screen.findAllByRole('slider'))[0]!, { target: { value: '9' } });
  cleanup();
  start({ [save]: application });
  openApp('/apply');
  expect(await screen.findAllByRole('slider')).toMatchObject([{ value: '9' }, {}, {}, {}, {}]);
  await goOn();
  await screen.findByText('Progress saved');
  expect(readSurveyDraft(ada.id)).toEqual({});
});

test("another user's unsaved answers are not used", () => {
  keepInSurveyDraft(ada.id, 'wine_knowledge', 9);
  expect(readSurveyDraft(customer.id)).toEqual({});
  expect(readSurveyDraft(ada.id)).toEqual({ wine_knowledge: 9 });
});

test('a former member starts from their last answers', async () => {
  start({
    [mine]: { ...me, membership_ever: true },
    'GET /api/profile/taste': {
      ratings: { ...application.preferences, wine_knowledge: 8 },
      changed_at: '2026-01-02T10:00:00.000Z',
    },
  });
  openApp('/apply');
  expect(await screen.findAllByRole('slider')).toMatchObject([{ value: '8' }, {}, {}, {}, {}]);
});

test("step 1 saves: 'Progress saved', the tiers, and Previous goes back to the same answers", async () => {
  const server = start({ [save]: application });
  openApp('/apply');
  fireEvent.change((await screen.findAllByRole('slider'))[0]!, { target: { value: '9' } });
  await goOn();
  await screen.findByText('Progress saved');
  expect(screen.queryByText(resuming)).toBeNull();
  await screen.findByRole('heading', { level: 1, name: 'Choose Your Membership' });
  expect(server.calls.find(({ call }) => call === save)?.body).toEqual({
    preferences: { ...application.preferences, wine_knowledge: 9 },
    rated: ['wine_knowledge'],
    selected_tier: null,
    current_step: 2,
    is_complete: false,
  });
  const card = await screen.findByRole('article', { name: 'The premier' });
  expect(card.textContent).toContain('$59 per month');
  expect(card.textContent).toContain('8 pours per month');
  expect(card.textContent).toContain('1 pour for guests');
  expect(card.textContent).toContain('What premier is');
  await userEvent.click(screen.getByRole('button', { name: 'Previous' }));
  expect(((await screen.findAllByRole('slider'))[0] as HTMLInputElement).value).toBe('9');
});

test("a save that fails: 'Failed to save progress', and step 1 stays", async () => {
  start({ [save]: refuse(500, {}) });
  openApp('/apply');
  await goOn();
  await screen.findByText('Failed to save progress');
  expect(screen.getAllByRole('slider')).toHaveLength(5);
});

test('a session that ended leads to signing in, and the answers are there afterwards', async () => {
  const user: { current: typeof ada | null } = { current: ada };
  start({
    'GET /api/session': () => ({ user: user.current }),
    [save]: () => {
      user.current = null;
      return refusal(401, 'NOT_SIGNED_IN', 'Please sign in.')();
    },
  });
  const app = openApp('/apply');
  fireEvent.change((await screen.findAllByRole('slider'))[0]!, { target: { value: '8' } });
  await goOn();
  await screen.findByText('Your session has ended. Please sign in again.');
  expect(app.path()).toBe('/login');
  user.current = ada;
  cleanup();
  openApp('/apply');
  expect((await screen.findAllByRole<HTMLInputElement>('slider'))[0]?.value).toBe('8');
});

test('a half-finished survey resumes at its step with its answers, and says so', async () => {
  start({ [mine]: { ...me, application } });
  openApp('/apply');
  await screen.findByText(resuming);
  await screen.findByRole('heading', { level: 1, name: 'Choose Your Membership' });
  await userEvent.click(screen.getByRole('button', { name: 'Previous' }));
  expect(((await screen.findAllByRole('slider'))[0] as HTMLInputElement).value).toBe('9');
});

test('one press on a tier saves it once and leaves for the payment page', async () => {
  const chosen = { ...application, is_complete: true, selected_tier: 'premier' };
  const server = start({
    [mine]: { ...me, application },
    [save]: chosen,
    [checkout]: { url: 'https://pay.example/cs_1' },
  });
  openApp('/apply');
  const button = await payButton(1);
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/cs_1'));
  expect(server.count(save)).toBe(1);
  expect(
    server.calls.filter(({ call }) => call === save || call === checkout).map(({ body }) => body),
  ).toEqual([
    {
      id: application.id,
      preferences: application.preferences,
      rated: SURVEY_RATINGS,
      selected_tier: 'premier',
      current_step: 2,
      is_complete: true,
    },
    {
      tierName: 'premier',
      applicationId: application.id,
      userId: ada.id,
      consentVersion: premier.version,
    },
  ]);
  screen.getByText('Taking you to the payment page');
});

test('a payment that cannot start shows the toast on the page and removes the overlay', async () => {
  start({
    [mine]: { ...me, application },
    [save]: { ...application, is_complete: true, selected_tier: 'select' },
    [checkout]: refuse(502, {}),
  });
  openApp('/apply');
  await userEvent.click(await payButton(0));
  await screen.findByText('Failed to start payment process. Please try again.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByText('Taking you to the payment page')).toBeNull();
  expect(assign).not.toHaveBeenCalled();
});

test('someone who pays already reads that, and not to try again', async () => {
  const message = 'A membership with your email is already being paid.';
  start({
    [mine]: { ...me, application },
    [save]: { ...application, is_complete: true, selected_tier: 'select' },
    [checkout]: refusal(409, 'SUBSCRIPTION_EXISTS', message),
  });
  openApp('/apply');
  await userEvent.click(await payButton(0));
  await screen.findByText(message);
  expect(screen.queryByText(/Please try again/)).toBeNull();
  expect(screen.queryByText('Taking you to the payment page')).toBeNull();
});

test('tiers and saved answers that cannot be loaded are silent', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  start({
    [mine]: refuse(400, {}),
    [save]: application,
    'GET /api/tiers': refuse(400, {}),
  });
  openApp('/apply');
  await goOn();
  await screen.findByRole('button', { name: 'Check Again' });
  expect(screen.queryByRole('alert')).toBeNull();
  screen.getByText('The memberships have not loaded yet');
  expect(screen.queryByText(/No memberships/)).toBeNull();
  expect(console.warn).toHaveBeenCalled();
});

test('without a tier on offer, no membership is available', async () => {
  start({ [mine]: { ...me, application }, 'GET /api/tiers': [] });
  openApp('/apply');
  await screen.findByText('No memberships available right now');
});

test('an active member has nothing to apply for', async () => {
  start({ [mine]: { ...me, customer } });
  const app = openApp('/apply');
  await waitFor(() => expect(app.path()).toBe('/dashboard'));
});

test("'Back to Dashboard' from a half-finished survey stays there, with a link back to it", async () => {
  start({ [mine]: { ...me, application } });
  const app = openApp('/apply');
  await screen.findByRole('heading', { level: 1, name: 'Choose Your Membership' });
  await userEvent.click(screen.getByRole('link', { name: 'Back to Dashboard' }));
  expect((await screen.findByRole('link', { name: 'Continue Survey' })).getAttribute('href')).toBe('/apply');
  expect(app.path()).toBe('/dashboard');
});

test("each tier's button is described by its charge and by what every button agrees to", async () => {
  start({ [mine]: { ...me, application } });
  openApp('/apply');
  const card = await screen.findByRole('article', { name: 'The premier' });
  within(card).getByText('$7.38 a glass');
  expect(textOf(await payButton(1))).toBe(`The premier ${premier.text}`);
  within(card).getByText(
    'We’ll charge your card $59.00 for The premier today, then every month until you cancel.',
  );
  screen.getByText(/^You can cancel anytime in your account\. .* at least 21 years old\.$/);
});

test('by the month is chosen first; a year says its charge, and is what the order asks for', async () => {
  const server = start({
    'GET /api/tiers': tiers.map((it) => ({ ...it, yearly_price: it.monthly_price * 10 })),
    [mine]: { ...me, application },
    [save]: { ...application, is_complete: true, selected_tier: 'premier' },
    [checkout]: { url: 'https://pay.example/cs_1' },
  });
  openApp('/apply');
  const card = within(await screen.findByRole('article', { name: 'The premier' }));
  expect(card.getByRole<HTMLInputElement>('radio', { name: '$59 a month' }).checked).toBe(true);
  await userEvent.click(card.getByRole('radio', { name: '$590 for a year, 2 months free. Ends by itself.' }));
  const year = yearConsent(site, { tier: 'The premier', price: '$590.00' });
  expect(textOf(await payButton(1))).toBe(`The premier ${year.text}`);
  await userEvent.click(await payButton(1));
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/cs_1'));
  expect(server.calls.find(({ call }) => call === checkout)?.body).toMatchObject({
    tierName: 'premier',
    period: 'year',
    consentVersion: year.version,
  });
});

test('when the price has changed, the page stays, shows the new words, and sends those next', async () => {
  const current = subscriptionConsent(site, { tier: 'The select', price: '$45.00' });
  const server = start({
    [mine]: { ...me, application },
    [save]: { ...application, is_complete: true, selected_tier: 'select' },
    [checkout]: refusal(409, 'CONSENT_OUTDATED', 'Please read them again.', { current }),
  });
  openApp('/apply');
  await userEvent.click(await payButton(0));
  await screen.findByText('Please read them again.');
  expect(assign).not.toHaveBeenCalled();
  expect(textOf(await payButton(0))).toContain(current.text);
  await waitFor(() => expect(server.count('GET /api/tiers')).toBe(2));
  server.answers[checkout] = { url: 'https://pay.example/cs_1' };
  await userEvent.click(await payButton(0));
  await waitFor(() => expect(assign).toHaveBeenCalled());
  expect(server.calls.findLast(({ call }) => call === checkout)?.body).toMatchObject({
    consentVersion: current.version,
  });
});
