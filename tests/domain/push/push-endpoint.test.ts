import { expect, test } from 'vitest';
import { isPushEndpoint } from '../../../src/domain/push/push-endpoint.ts';

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc:APA91b', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/gAAA', true],
  ['https://web.push.apple.com/QGuQ', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=BQ%3d%3d', true],
  ['https://fcm.googleapis.com:443/x', true],
  ['http://fcm.googleapis.com/x', false],
  ['https://fcm.googleapis.com:8443/x', false],
  ['https://user:pass@fcm.googleapis.com/x', false],
  ['https://fcm.googleapis.com/x#y', false],
  ['https://127.0.0.1/x', false],
  ['https://2130706433/x', false],
  ['https://0x7f.1/x', false],
  ['https://[::1]/x', false],
  ['https://[::ffff:10.0.0.1]/x', false],
  ['https://localhost/x', false],
  ['https://localhost./x', false],
  ['https://printer.local/x', false],
  ['https://metadata.google.internal/x', false],
  ['https://router.lan/x', false],
  ['https://intranet/x', false],
  ['ftp://fcm.googleapis.com/x', false],
  ['javascript:alert(1)', false],
  ['', false],
])('%s is an endpoint: %s', (endpoint, expected) => {
  expect(isPushEndpoint(endpoint)).toBe(expected);
});
