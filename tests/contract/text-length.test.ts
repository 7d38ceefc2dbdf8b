import { expect, it } from 'vitest';
import { giftForm } from '../../src/contract/gifts/gifts.ts';

it('a text that is too long is refused for its length alone, before its pattern runs', () => {
  const { error } = giftForm.shape.message.safeParse(`${'a'.repeat(60_000)}.com`);
  expect(error?.issues.map(({ code }) => code)).toEqual(['too_big']);
});
