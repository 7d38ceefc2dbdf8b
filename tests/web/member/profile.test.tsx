import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { customer, me, openApp, profile, refusal, stubServer } from '../../support/web/member-app.tsx';

const mine = 'GET /api/customers/own';
const patch = 'PATCH /api/profile';

async function edit(answers: Record<string, unknown> = {}) {
  const server = stubServer({ [mine]: { ...me, customer }, ...answers });
  openApp('/account');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Edit Profile' }));
  const form = within(screen.getByRole('form', { name: 'Profile' }));
  const field = (label: RegExp) => form.getByLabelText<HTMLInputElement>(label);
  return { server, user, form, field };
}

test('names and phone can be changed; the page and a toast say so', async () => {
  const saved = { ...profile, first_name: 'Augusta', phone: '+44 20 1' };
  const { server, user, form, field } = await edit({ [patch]: saved });
  expect(document.activeElement).toBe(field(/First Name/));
  expect(form.queryByLabelText(/Email/)).toBeNull();
  await user.clear(field(/First Name/));
  await user.type(field(/First Name/), '  Augusta ');
  await user.type(field(/Phone/), '+44 20 1');
  server.answers[mine] = { ...me, customer, profile: saved };
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Profile saved');
  screen.getByText('Augusta Vine');
  screen.getByText('+44 20 1');
  expect(server.calls.find(({ call }) => call === patch)?.body).toEqual({
    first_name: 'Augusta',
    last_name: 'Vine',
    phone: '+44 20 1',
  });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Profile' }));
});

test('an emptied phone field deletes the number', async () => {
  const { server, user, form, field } = await edit({
    [mine]: { ...me, customer, profile: { ...profile, phone: '+43 1' } },
    [patch]: profile,
  });
  await user.clear(field(/Phone/));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.calls.find(({ call }) => call === patch)?.body).toMatchObject({ phone: null }),
  );
});

test('an empty name is not sent; the field says so and has the focus', async () => {
  const { server, user, form, field } = await edit();
  await user.clear(field(/Last Name/));
  await user.type(field(/Last Name/), '  ');
  await user.click(form.getByRole('button', { name: 'Save' }));
  form.getByText('Required');
  expect(document.activeElement).toBe(field(/Last Name/));
  expect(server.count(patch)).toBe(0);
});

test.each([
  ['Cancel', (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByText('Cancel'))],
  ['Escape', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Escape}')],
])('%s changes nothing', async (_, leave) => {
  const { server, user, field } = await edit();
  await user.type(field(/First Name/), 'xyz');
  await leave(user);
  screen.getByText('Ada Vine');
  expect(screen.queryByRole('form')).toBeNull();
  expect(server.count(patch)).toBe(0);
});

test('a refusal is shown with the server’s message, and what was typed stays', async () => {
  const { user, form, field } = await edit({
    [patch]: refusal(400, 'BAD_REQUEST', 'Too long, sorry'),
  });
  await user.type(field(/First Name/), 'x');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect((await form.findByRole('alert')).textContent).toContain('Too long, sorry');
  expect(field(/First Name/).value).toBe('Adax');
});

test('the months of visits are a list for screen readers; without a visit there is none', async () => {
  const months = Array.from({ length: 12 }, (_, index) => ({
    month: `2026-${String(index + 1).padStart(2, '0')}`,
    visits: index === 2 ? 1 : 0,
    glasses: index === 2 ? 3 : 0,
  }));
  const server = stubServer({ [mine]: { ...me, customer }, 'GET /api/pours/months': months });
  openApp('/pours');
  const figure = within(await screen.findByRole('figure'));
  figure.getByText('in the last twelve months', { exact: false });
  expect(figure.getAllByRole('listitem')).toHaveLength(12);
  figure.getByText('March 2026: 1 visit');
  expect(figure.getAllByText(/^[A-Z][a-z]{2}$/).map((it) => it.textContent)).toEqual(
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
  );
  figure.getByText('1', { selector: 'li *' });
  cleanup();
  server.answers['GET /api/pours/months'] = months.slice(2);
  openApp('/pours');
  const since = within(await screen.findByRole('figure'));
  since.getByText('since March 2026', { exact: false });
  expect(since.getAllByRole('listitem')).toHaveLength(10);
  cleanup();
  server.answers['GET /api/pours/months'] = months.map((month) => ({ ...month, visits: 0 }));
  openApp('/pours');
  await screen.findByText('No pour history yet. Visit us soon!');
  await waitFor(() => expect(document.querySelector('main .rounded-lg.h-37')).toBeNull());
  expect(screen.queryByRole('figure')).toBeNull();
});
