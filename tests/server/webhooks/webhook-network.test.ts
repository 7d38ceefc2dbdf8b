import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { postWebhook } from '../../../src/server/webhooks/post-webhook.ts';
import { webhookNetwork } from '../../../src/server/webhooks/webhook-network.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/fakes/webhook-receiver.ts';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

const PUBLIC_ONLY = webhookNetwork([]);
const reachOf = (url: string) => PUBLIC_ONLY.reach(new URL(url).hostname);

test.each([
  ['loopback', 'https://127.0.0.1/'],
  ['loopback as a number', 'https://2130706433/'],
  ['loopback by name', 'https://localhost/'],
  ['loopback of IPv6', 'https://[::1]/'],
  ['private', 'https://10.0.0.8/'],
  ['private', 'https://172.16.3.4/'],
  ['private', 'https://192.168.1.1/'],
  ['private of IPv6', 'https://[fd00::1]/'],
  ['shared by carriers', 'https://100.64.0.1/'],
  ['link-local', 'https://169.254.10.10/'],
  ['link-local of IPv6', 'https://[fe80::1]/'],
  ['where clouds keep credentials', 'https://169.254.169.254/'],
  ['nowhere', 'https://0.0.0.0/'],
  ['IPv4 inside IPv6', 'https://[::ffff:10.0.0.8]/'],
  ['IPv4 behind NAT64', 'https://[64:ff9b::a00:8]/'],
  ['IPv4 in a tunnel', 'https://[2002:a00:8::]/'],
])('a URL that is %s (%s) is refused, also at the connection', async (_, url) => {
  expect(await reachOf(url)).toBe('private_network');
  const message = { url, headers: {}, body: '{}' };
  expect(await postWebhook(PUBLIC_ONLY, message)).toMatchObject({
    status: null,
    error: 'The address is in a network that is not allowed',
  });
});

it('a public URL is allowed, and a name that does not resolve is not', async () => {
  expect(await reachOf('https://8.8.8.8/')).toBe('allowed');
  expect(await reachOf('https://[2606:4700::1111]/')).toBe('allowed');
  expect(await reachOf('https://[64:ff9b::808:808]/')).toBe('allowed');
  expect(await reachOf('https://nowhere.invalid/')).toBe('unknown_host');
});

it('a private network that the operator named is allowed, and no other', async () => {
  const network = webhookNetwork(['127.0.0.0/8', 'fd12::/16']);
  const reached = ['127.0.0.1', '[fd12::5]', '10.0.0.8', '[fd13::5]'].map((host) => network.reach(host));
  expect(await Promise.all(reached)).toEqual(['allowed', 'allowed', 'private_network', 'private_network']);
  // The connection succeeds, but Node does not trust the certificate.
  const url = `https://localhost:${receiver.port}/`;
  const { error } = await postWebhook(network, { url, headers: {}, body: '{}' });
  expect(error).toMatch(/certificate/);
});
