import { isIP } from 'node:net';
import { z } from 'zod';

/** Whether the text is a network such as '10.1.0.0/16' or 'fd00::/8'. */
function isNetwork(text: string): boolean {
  const [ip = '', bits = '', ...rest] = text.split('/');
  const family = isIP(ip);
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return Number(bits) <= (family === 6 ? 128 : 32);
}

/** Comma-separated networks; empty if absent. */
export const networksVariable = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((it) => it.trim())
      .filter((it) => it !== ''),
  )
  .refine((list) => list.every(isNetwork), 'must be networks such as 10.1.0.0/16, with commas');
