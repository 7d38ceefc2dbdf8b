import { expect, it, test } from 'vitest';
import { identifiedKeyFor, type KeyPurpose, keyFor } from '../../../src/server/config/purpose-key.ts';
import { pushKeysFrom } from '../../../src/server/push/push-keys.ts';

const SECRET = 'the secret of an installation, 32+';

// Computed by version 1.0.0: sealed secrets, paper codes, gifts and saved passes depend on each byte.
test.each<[KeyPurpose, string]>([
  ['membership-card/v1', '9db6888a2fae242558a8215a48966c93516d15a59d816fe691999362c30ebe00'],
  ['gift/v1', 'd651ef62b718bcd1e515f9b439d090a2292d476ca4bb5092126a9542f44798c8'],
  ['paper-card/v1', '83de4fd3465c8c5edf55bf9e4f5612ea45c051f9590d4c820ff3964920f7bfa6'],
  ['refresh-token/v1', 'cccb73f50b29b7ab22f2bbb17cbf20df56b95fb7ec7766c74d25bcd700cf3e1d'],
  ['stripe-webhook/v1', '4d783397b2b022a163d0ccc45827e6245c0610ad1d64919ee9a08faf93438d2c'],
  ['wallet-pass/v1', 'df1ec7011e9dd9734bf49aa73d5c251068b51e5951f38447ad715e2fb93a9a8f'],
  ['webhooks/v1', 'cd3a64850cc818fd4a3321d194b6f800a20c70749a5e485fef2a33aad5b4b185'],
])('the key for %s never changes', (purpose, hex) => {
  expect(keyFor(SECRET, purpose).toString('hex')).toBe(hex);
});

it('ids of keys and the keys of push never change', () => {
  expect(identifiedKeyFor(SECRET, 'gift').id).toBe('bc6ad1112505b3e6');
  expect(identifiedKeyFor(SECRET, 'paper-card').id).toBe('591ae4b58d84194b');
  expect(pushKeysFrom(SECRET)).toEqual({
    publicKey: 'BHIEBx-lBAAMeAZ2bPsWs-728bSkbUk40cViPJllGIZR6go_HeFpmRuglZblVWCz7yjQp6oCFyo_TQVwjfyHeaA',
    privateKey: 'CMV-rpZe6DDYGzOa9vGJ76YSO73li95vtui-emgkUTE',
  });
});
