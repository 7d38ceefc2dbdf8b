import { formatAmount, formatPrice } from '../../src/domain/money.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { TierObstacle } from '../../src/domain/tiers.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { runTierCommand, type TierAnswer, type TierCommand } from '../../src/server/http/tier-commands.ts';
import { askServer, ServerRefused } from './admin-request.ts';
import { directly } from './operator.ts';
import { readTierCommand } from './tier-arguments.ts';

const OBSTACLES: Record<TierObstacle, string> = {
  name_taken: 'There is a tier with that name already.',
  name_not_allowed: 'A name has lowercase letters, digits and underscores, such as grand_cru.',
  price_not_allowed: 'Stripe does not charge such a price: it is too low, or too high.',
  glasses_not_allowed: 'A tier has 1 to 500 glasses a month.',
  people_not_allowed: 'A membership is for 1 or 2 people.',
  guest_glasses_not_allowed: 'Members may give 0 to 20 glasses of a month to guests.',
  rollover_not_allowed: 'Of a month, 0 to 100 unused glasses may roll over into the next.',
  words_missing: 'A tier needs a name and a description.',
  members_have_it:
    'Members have this tier, or are about to pay for it, and would get less than they pay for. Add another tier with less, retire this one, and move its members.',
  last_on_offer: 'This is the last tier on offer: without it, nobody could join. Offer another one first.',
  not_on_offer: 'Only a tier on offer can be recommended.',
};

const env = readEnv(process.env);

function stop(message: string, code: 1 | 2): never {
  console.error(message);
  process.exit(code);
}

/** Runs the command in the running server, or else directly on the database. Prints the reason if it is refused. */
async function run(command: TierCommand): Promise<TierAnswer> {
  try {
    const answer = await askServer(env.DATA_DIR, 'POST', '/tiers', command);
    return (answer ?? (await directly(env, (services) => runTierCommand(services, command)))) as TierAnswer;
  } catch (error) {
    const refusal = error instanceof ServerRefused ? JSON.parse(error.message) : error;
    const { code, data } = refusal as Pick<Refusal<'TIER_SETTING_REFUSED'>, 'code' | 'data'>;
    if (code === 'TIER_SETTING_REFUSED') return stop(OBSTACLES[data.reason], 1);
    if ((code as string) === 'NOT_FOUND') return stop('There is no such tier, or no such member.', 1);
    if (error instanceof Refusal || error instanceof ServerRefused) return stop(`Refused: ${code}`, 1);
    throw error;
  }
}

function printTiers({ tiers, currency }: TierAnswer): void {
  const rows = tiers.map((it) => [
    it.tier_name,
    it.display_name,
    formatPrice(it.monthly_price_cents, currency),
    `${it.monthly_pours} glasses`,
    it.people > 1 ? 'for two' : 'for one',
    `${it.guest_glasses} for guests`,
    `${it.rollover_glasses} roll over`,
    it.members === 1 ? '1 member' : `${it.members} members`,
    it.is_active ? (it.is_featured ? 'on offer, recommended' : 'on offer') : 'retired',
  ]);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

const command = readTierCommand(process.argv.slice(2), env.CURRENCY);
if ('problem' in command) stop(command.problem, 2);
const answer = await run(command);
if (answer.moved) {
  const { announced, unchanged, already_announced, not_now, at_venue } = answer.moved;
  console.log(
    `${announced} told by email; their price changes with the first renewal at least 30 days from now.`,
  );
  if (already_announced > 0)
    console.log(`${already_announced} were told of a move before, which stays as it is.`);
  if (unchanged > 0) console.log(`${unchanged} pay that price already.`);
  if (not_now > 0)
    console.log(
      `${not_now} left out: their membership ends, a payment is due, or they change tier. Try them later.`,
    );
  if (at_venue > 0) console.log(`${at_venue} pay at the venue: the till has their price.`);
} else if (answer.withdrawn !== undefined) {
  console.log(`${answer.withdrawn} withdrawn; the members were told by email.`);
} else if (answer.moves) {
  for (const { email, from, to, to_amount_cents, effective_at } of answer.moves) {
    const price = formatAmount(to_amount_cents, answer.currency);
    console.log(`${effective_at.slice(0, 10)}  ${email}  ${from === to ? to : `${from} to ${to}`}, ${price}`);
  }
  if (answer.moves.length === 0) console.log('No moves are announced.');
} else {
  printTiers(answer);
}
