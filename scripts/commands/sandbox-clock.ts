import { readEnv } from '../../src/server/config/env.ts';
import { type Command, WrongArguments } from './command.ts';

/** Renewals, failed payments and ended memberships happen along the way. */
export const command: Command = {
  usage: [["'1 month'", "moves the demo's clock; days, weeks, months or years, forward only"]],
  async run(words) {
    const advance = words.join(' ');
    if (!/^\d+ (day|week|month|year)s?$/.test(advance)) throw new WrongArguments();
    const env = readEnv(process.env);
    const host = env.SANDBOX_HOST === '0.0.0.0' ? '127.0.0.1' : env.SANDBOX_HOST;
    const url = `http://${host}:${env.SANDBOX_PORT ?? env.PORT + 1}/_sandbox/clock`;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advance }),
      });
      const body = (await answer.json()) as { now_iso?: string };
      if (!answer.ok) throw new Error(JSON.stringify(body));
      console.log(`The sandbox clock is at ${body.now_iso}.`);
      return 0;
    } catch (error) {
      console.error(`No sandbox answered at ${url}. Is the demo running on this port?\n${String(error)}`);
      return 1;
    }
  },
};
