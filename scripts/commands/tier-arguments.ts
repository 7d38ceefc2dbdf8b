import { parseArgs } from 'node:util';
import { parseAmount } from '../../src/domain/money.ts';
import type { TierCommand } from '../../src/server/http/tier-commands.ts';

const USAGE = `Usage: npm run tiers                      lists the tiers, with how many members have each
       npm run tiers -- set TIER [--name NAME] [--description TEXT] [--price 45.00] [--glasses 5]
                      [--people 1|2] [--guest-glasses 1] [--rollover 3]
                                          people: how many adults share it; guest-glasses: how many of a month's
                                          glasses members may give to guests; rollover: how many unused glasses of
                                          a month may be used in the next, for months that begin from now on
       npm run tiers -- add TIER --name NAME --description TEXT --price 45.00 --glasses 5
                                          TIER is a short name such as grand_cru, which never changes
       npm run tiers -- retire TIER       nobody new can choose it; its members keep it
       npm run tiers -- offer TIER        offers it again
       npm run tiers -- order TIER...     shows these first, in this order; none: all by price
       npm run tiers -- feature TIER      recommends it; without a tier, none
       npm run tiers -- move EMAIL|TIER [TO]
                                          moves a member, or all who have a tier, to today's price of their tier or of
                                          TO: each gets an email now, and the price with the first renewal in 30 days
       npm run tiers -- moves             lists the moves that were announced
       npm run tiers -- withdraw EMAIL|TIER
                                          withdraws the moves of a member, or all to a tier, and emails them`;

type Terms = Extract<TierCommand, { do: 'set' }>['terms'];

/** The typed command, or what to print instead. Prices are in that currency. */
export function readTierCommand(typed: string[], currency: string): TierCommand | { problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: typed,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        description: { type: 'string' },
        price: { type: 'string' },
        glasses: { type: 'string' },
        people: { type: 'string' },
        'guest-glasses': { type: 'string' },
        rollover: { type: 'string' },
      },
    });
    const [action = 'list', tier, ...more] = positionals;
    const amount = values.price === undefined ? undefined : parseAmount(values.price, currency);
    if (amount === null) return { problem: `--price takes an amount in ${currency}, such as 45.` };
    const terms: Terms = {
      ...(values.name !== undefined && { display_name: values.name.trim() }),
      ...(values.description !== undefined && { description: values.description.trim() }),
      ...(values.glasses !== undefined && { monthly_pours: Number(values.glasses) }),
      ...(amount !== undefined && { monthly_price_cents: amount }),
      ...(values.people !== undefined && { people: Number(values.people) }),
      ...(values['guest-glasses'] !== undefined && { guest_glasses: Number(values['guest-glasses']) }),
      ...(values.rollover !== undefined && { rollover_glasses: Number(values.rollover) }),
    };
    const isAboutTerms = action === 'set' || action === 'add';
    const isMisplaced = !isAboutTerms && Object.keys(terms).length > 0;
    return (isMisplaced ? null : commandOf(action, tier, more, terms)) ?? { problem: USAGE };
  } catch (error) {
    // An unknown option.
    if (error instanceof TypeError) return { problem: `${error.message}\n${USAGE}` };
    throw error;
  }
}

function commandOf(
  action: string,
  tier: string | undefined,
  more: string[],
  terms: Terms,
): TierCommand | null {
  const who = tier?.includes('@') ? { email: tier } : { tier: tier ?? '' };
  if (action === 'order') return { do: 'order', tiers: tier === undefined ? [] : [tier, ...more] };
  if (action === 'feature' && more.length === 0) return { do: 'feature', tier: tier ?? null };
  if (action === 'move' && tier && more.length <= 1) return { do: 'move', who, to: more[0] };
  if (more.length > 0) return null;
  if (tier === undefined) return action === 'list' || action === 'moves' ? { do: action } : null;
  switch (action) {
    case 'set':
      return Object.keys(terms).length > 0 ? { do: 'set', tier, terms } : null;
    case 'add': {
      const { display_name, description, monthly_price_cents, monthly_pours, ...more } = terms;
      if (!display_name || !description || monthly_price_cents === undefined || monthly_pours === undefined)
        return null;
      return {
        do: 'add',
        tier,
        terms: { display_name, description, monthly_price_cents, monthly_pours, ...more },
      };
    }
    case 'retire':
    case 'offer':
      return { do: action, tier };
    case 'withdraw':
      return { do: 'withdraw', who };
    default:
      return null;
  }
}
