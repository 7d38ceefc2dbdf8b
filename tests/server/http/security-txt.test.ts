import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { readEnv } from '../../../src/server/config/env.ts';
import { SECURITY_TXT_PATH, securityTxt } from '../../../src/server/http/security-txt.ts';

const at = (now: string, variables: Record<string, string>) => {
  const { securityContact } = readEnv(variables);
  const app = new Hono().get(
    SECURITY_TXT_PATH,
    securityTxt({ securityContact, publicUrl: 'https://club.example', now: () => new Date(now) }),
  );
  return app.request(SECURITY_TXT_PATH);
};
const contact = { SECURITY_CONTACT: 'security@club.example', SECURITY_CONTACT_EXPIRES: '2027-06-30' };

test('says who to contact, and until when it is valid', async () => {
  const answer = await at('2026-11-22T00:00:00Z', contact);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8/i);
  expect(await answer.text()).toBe(
    [
      'Contact: mailto:security@club.example',
      'Expires: 2027-06-30T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://club.example/.well-known/security.txt',
      '',
    ].join('\n'),
  );
  const page = { ...contact, SECURITY_CONTACT: 'https://club.example/security' };
  expect(await (await at('2026-11-22', page)).text()).toContain('Contact: https://club.example/security\n');
});

test.each([
  ['no contact is configured', '2026-11-22', {}],
  ['it has expired', '2027-06-30', contact],
])('is not found when %s', async (_, now, variables) => {
  expect((await at(now, variables)).status).toBe(404);
});
