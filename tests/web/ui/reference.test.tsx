import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/web/api/api-error.ts';
import { auth } from '../../../src/web/api/auth-client.ts';
import { api } from '../../../src/web/api/client.ts';
import { Reference } from '../../../src/web/ui/reference.tsx';

const FORM = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/;

/** Responds with the reference that was sent, like the server. Returns the sent one. */
function serverThatAnswers(status: number) {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const headers = typeof input === 'string' ? new Headers(init?.headers) : input.headers;
    const reference = headers.get('x-request-id') ?? '';
    sent.push(reference);
    const body = { code: 'SOME_CODE', message: 'A message.' };
    return Response.json(body, { status, headers: { 'x-request-id': reference } });
  });
  return sent;
}

test.each([
  ['an API call', () => api.tiers.list()],
  ['a call of sign-in', () => auth.signIn({ email: 'a@b.test', password: 'x' })],
])('%s sends a new reference, which an unexpected error shows', async (_, call) => {
  const sent = serverThatAnswers(500);
  const error = await Promise.resolve(call()).catch((thrown: unknown) => thrown);
  await Promise.resolve(call()).catch(() => null);
  expect(sent[0]).toMatch(FORM);
  expect(sent[1]).not.toBe(sent[0]);
  render(<Reference of={error} />);
  expect(screen.getByText(/^Reference:/).textContent).toBe(`Reference: ${sent[0]}`);
});

test('a refusal shows no reference, nor does an error without a response', async () => {
  const [reference] = serverThatAnswers(409);
  const refused = await Promise.resolve(api.tiers.list()).catch((thrown: unknown) => thrown);
  for (const error of [refused, new Error('offline'), new ApiError(409, { reference }), null, undefined]) {
    const { container } = render(<Reference of={error} />);
    expect(container.textContent).toBe('');
  }
});
