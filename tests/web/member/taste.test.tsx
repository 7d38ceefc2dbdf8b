import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { application, customer, me, openApp, refuse, stubServer } from '../../support/web/member-app.tsx';

const mine = 'GET /api/customers/own';
const get = 'GET /api/profile/taste';
const put = 'PUT /api/profile/taste';
const ratings = { ...application.preferences, wine_knowledge: 8 };
const changed_at = '2026-03-05T12:00:00.000Z';

const sliders = async () => (await screen.findAllByRole('slider')) as HTMLInputElement[];
const save = () => screen.getByRole('button', { name: 'Save Taste' });

test('/account/taste shows the latest answers and when they were given, and saves new ones', async () => {
  const server = stubServer({ [mine]: { ...me, customer }, [get]: { ratings, changed_at } });
  const saved = { ratings: { ...ratings, adventurousness: 10 }, changed_at: '2026-06-15T12:00:00.000Z' };
  server.answers[put] = saved;
  openApp('/account/taste');
  const [knowledge, , , , adventure] = await sliders();
  expect(knowledge?.value).toBe('8');
  await screen.findByText('Last changed 3/5/2026.');
  expect((save() as HTMLButtonElement).disabled).toBe(true);

  fireEvent.change(adventure!, { target: { value: '10' } });
  await userEvent.click(save());
  await screen.findByText('Taste saved');
  await screen.findByText('Last changed 6/15/2026.');
  expect(server.calls.find(({ call }) => call === put)?.body).toEqual(saved.ratings);
  expect((save() as HTMLButtonElement).disabled).toBe(true);
});

test('a slider whose answer could not be saved stays where it was moved', async () => {
  stubServer({ [mine]: { ...me, customer }, [get]: { ratings, changed_at }, [put]: refuse(500, {}) });
  openApp('/account/taste');
  const [knowledge] = await sliders();
  fireEvent.change(knowledge!, { target: { value: '3' } });
  await userEvent.click(save());
  await screen.findByText('We couldn’t save your taste');
  expect(knowledge?.value).toBe('3');
});

test('a member without answers sees sliders in the middle, marked as unanswered', async () => {
  stubServer({ [mine]: { ...me, customer }, [get]: null });
  openApp('/account/taste');
  expect((await sliders()).map(({ value }) => value)).toEqual(['5', '5', '5', '5', '5']);
  screen.getByText('Not answered yet.');
  expect(screen.getAllByText('An answer that you leave stays at 5.')).toHaveLength(1);
});

test('the kinds of wine stand in two closed groups, which say what was chosen', async () => {
  const palate = { words: { red: 'like', sweet: 'avoid' }, glasses: 3, matches: [] };
  stubServer({
    [mine]: { ...me, customer },
    [get]: { ratings, changed_at },
    'GET /api/palate': palate,
    'PUT /api/palate/words': { ...palate, words: { red: 'like' } },
  });
  openApp('/account/taste');
  const groups = (await screen.findAllByText(/^(Colors|Styles)$/)).map((it) => it.closest('details'));
  expect(groups.map((it) => it?.open)).toEqual([false, false]);
  expect(groups.map((it) => it?.querySelectorAll('select').length)).toEqual([6, 5]);
  screen.getByText('Reds: I like them');
  fireEvent.change(screen.getByLabelText('Sweet wines'), { target: { value: 'open' } });
  await waitFor(() => expect(screen.queryByText('Sweet wines: Not for me')).toBeNull());
});

test.each([
  ['who has never been a member', { ...me }, 'Choose a Membership'],
  ['with a pending application', { ...me, customer, application }, 'Go to My Application'],
])('someone %s gets a link to the survey in place of the sliders', async (_, own, way) => {
  stubServer({ [mine]: own, [get]: null });
  openApp('/account/taste');
  expect((await screen.findByRole('link', { name: way })).getAttribute('href')).toBe('/apply');
  expect(screen.queryByRole('slider')).toBeNull();
});
