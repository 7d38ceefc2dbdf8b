import { formatAmount } from '../../src/domain/money.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { runTierCommand, type TierAnswer, type TierCommand } from '../../src/server/http/tier-commands.ts';
import { type Command, WrongArguments } from './command.ts';
import { askOrDo, Refused } from './operator.ts';

function typedCommand([action, name, to, ...rest]: string[]): TierCommand {
  const target = name?.includes('@') ? { email: name } : { tier: name ?? '' };
  if (action === 'moves' && !name) return { do: 'moves' };
  if (action === 'move' && name && rest.length === 0) return { do: 'move', who: target, to };
  if (action === 'withdraw' && name && !to) return { do: 'withdraw', who: target };
  throw new WrongArguments();
}

function linesOf({ currency, moved, withdrawn, moves }: TierAnswer): string[] {
  if (moves?.length === 0) return ['No moves are announced.'];
  if (moves) {
    return moves.map(({ email, from, to, to_amount_cents, effective_at }) => {
      const price = formatAmount(to_amount_cents, currency);
      return `${effective_at.slice(0, 10)}  ${email}  ${from === to ? to : `${from} to ${to}`}, ${price}`;
    });
  }
  if (!moved) return [`${withdrawn} withdrawn; the members were notified by email.`];
  const { announced, unchanged, already_announced, not_now, at_venue } = moved;
  return [
    `${announced} notified by email; their price will change with the first renewal at least 30 days from now.`,
    already_announced > 0 &&
      `${already_announced} already have notice of an earlier move, which stays as it is.`,
    unchanged > 0 && `${unchanged} already pay that price.`,
    not_now > 0 &&
      `${not_now} left out: their membership ends, a payment is due, or they are changing tier. Try again later.`,
    at_venue > 0 && `${at_venue} pay at the venue: change their price at the till.`,
  ].filter((line) => line !== false);
}

export const command: Command = {
  usage: [
    ['move EMAIL|TIER [TO]', "moves a member, or all of a tier, to today's price of their tier or of TO"],
    ['moves', 'lists the moves that were announced'],
    ['withdraw EMAIL|TIER', 'withdraws the moves of a member, or all to a tier'],
  ],
  note: `Members who move get an email now, and the new price with their first renewal in at least 30 days. Members whose
move is withdrawn get an email, too. Everything else about tiers is at /staff/tiers.`,
  async run(words) {
    const command = typedCommand(words);
    const call = { method: 'POST', path: '/tiers', body: command } as const;
    try {
      const answer = await askOrDo(readEnv(process.env), call, (services) =>
        runTierCommand(services, command),
      );
      console.log(linesOf(answer).join('\n'));
      return 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.error('There is no such tier, or no such member.');
      return 1;
    }
  },
};
