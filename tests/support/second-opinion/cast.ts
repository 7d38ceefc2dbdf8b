import { v7 } from 'uuid';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { acceptShare, confirmedCustomer } from '../fixtures/household.ts';
import { applied } from '../fixtures/members.ts';
import type { Answer, Caller } from '../harness/caller.ts';
import { newestFirst, refunded } from './acts.ts';
import { asText, dayAt, monthsOn } from './calendar.ts';
import type { Event, EventOf, Who } from './events.ts';
import { becameMember, looked, type Player } from './player.ts';
import type { Product } from './product.ts';
import {
  chargedCard,
  checkoutPage,
  saveDefault,
  saveNewest,
  signInAnew,
  stripePlays,
  waitsForCard,
} from './stripe-plays.ts';

type Plays = {
  [D in Exclude<Event['do'], keyof typeof stripePlays>]: (
    cast: Cast,
    player: Player,
    event: EventOf<D>,
  ) => Promise<Answer | null>;
};

type Play<Of> = (of: Of, player: Player, event: Event) => Promise<Answer | null>;

/** The two people of a sequence, who act over the API. */
export class Cast {
  readonly product: Product;
  private readonly players: (Player | undefined)[] = [];

  constructor(product: Product) {
    this.product = product;
  }

  /** The person's account, created on first use. */
  async player(who: Who): Promise<Player> {
    let player = this.players[who];
    if (!player) {
      player = {
        caller: await confirmedCustomer(this.product.app),
        customer: '',
        pours: [],
        guests: [],
        cards: [],
      };
      this.players[who] = player;
    }
    return player;
  }

  /** Null for a person who has not acted yet. */
  known(who: Who): Player | null {
    return this.players[who] ?? null;
  }

  /** Carries out an event in the product. Returns 'ok', or 'refused: ' and the reason. */
  async act(event: Event): Promise<string> {
    const player = await this.player(event.who);
    const answer = await (event.do in stripePlays
      ? (stripePlays[event.do as keyof typeof stripePlays] as Play<Product>)(this.product, player, event)
      : (plays[event.do as keyof Plays] as Play<Cast>)(this, player, event));
    if (answer === null) return 'refused: nothing to ask for';
    if (answer.status >= 500 && answer.status !== 503) {
      throw new Error(
        `${event.do}: ${answer.status} ${JSON.stringify(answer.body)}\n${this.product.errors()}`,
      );
    }
    if (answer.status >= 300) return `refused: ${answer.body.code} ${JSON.stringify(answer.body)}`;
    return 'ok';
  }

  /** The other person, who did not start the act. */
  partner(player: Player): Promise<Player> {
    return this.player(this.players[0] === player ? 1 : 0);
  }
}

const EMPTY = {};

const plays: Plays = {
  'join by card': async (cast, player, { tier }) => {
    const url = await checkoutPage(player, tier);
    if (typeof url !== 'string') return url;
    await cast.product.pay(url);
    const verified = await player.caller.call('POST', '/api/functions/verify-subscription-status', EMPTY);
    await becameMember(cast.product, player);
    await saveDefault(cast.product, player);
    return verified;
  },
  'join for a year': async ({ product }, player, { tier }) => {
    const url = await checkoutPage(player, tier, 'year');
    if (typeof url !== 'string') return url;
    await product.pay(url);
    const answer = await looked(product, player.caller);
    await becameMember(product, player);
    return answer;
  },
  'pay a year': async ({ product }, { caller }) => {
    const page = await caller.call('POST', '/api/billing/year', EMPTY);
    if (page.status >= 300) return page;
    await product.pay(String(page.body.url));
    return looked(product, caller);
  },
  'to card': async ({ product }, player) => {
    const { caller } = player;
    const page = await caller.call('POST', '/api/billing/by-card', EMPTY);
    if (page.status >= 300) return page;
    await product.pay(String(page.body.url));
    const answer = await looked(product, caller);
    await saveNewest(product, player);
    return answer;
  },
  'join at the venue': async (cast, player, { tier, months = 12 }) => {
    const id = await applied(player.caller, tier).catch(() => null);
    if (!id) return null;
    const { staff } = cast.product;
    const path = `/api/applications/${id}/approve`;
    const answer = await staff.call('POST', path, { toast_reference_number: 'T-1', months });
    await becameMember(cast.product, player);
    await looked(cast.product, player.caller);
    return answer;
  },
  'pay dues': async ({ product: { staff } }, { customer }, { months }) => {
    if (!customer) return null;
    const path = `/api/customers/${customer}/dues`;
    const { paid_until, price_cents } = await staff.must<Dues>('GET', path);
    return staff.call('POST', path, {
      ...{ request_id: v7(), reference: 'T-2', amount_cents: months * price_cents, months },
      ...{ method: 'cash', paid_until },
    });
  },
  'void dues': async ({ product: { staff } }, { customer, caller }, { back }) => {
    // What a void leaves to a card that waits is not in these sequences.
    if (!customer || (await waitsForCard(caller))) return null;
    const { entries } = await staff.must<Dues>('GET', `/api/customers/${customer}/dues`);
    const payment = entries.filter(({ kind, voided }) => kind === 'payment' && !voided).at(back);
    return payment ? staff.call('POST', `/api/dues/${payment.id}/void`, { reason: 'Mistake' }) : null;
  },
  redeem: async (cast, player, { tier, months }) => {
    const { giver } = cast.product;
    const id = v7();
    const words = { from_name: 'Anna', to_name: 'Ben', delivery: 'card' };
    const { url } = await giver.must<{ url: string }>('POST', '/api/gifts', {
      request_id: id,
      tier,
      months,
      ...words,
    });
    await cast.product.pay(url);
    await giver.must('POST', `/api/gifts/${id}/check`, EMPTY);
    const { code } = await giver.must<{ code: string }>('POST', `/api/gifts/${id}/code`, EMPTY);
    const answer = await player.caller.call('POST', '/api/gifts/redeem', { code });
    if (answer.status < 300) await becameMember(cast.product, player);
    await looked(cast.product, player.caller);
    return answer;
  },
  'on the house': async (cast, player, { tier, months }) => {
    const { product } = cast;
    const ends_on = asText(monthsOn(dayAt(product.now, product.zone), months));
    const answer = await product.staff.call('POST', '/api/bar-sign-ups', {
      ...{ person: { user_id: player.caller.id }, tier, house: { ends_on, reason: 'A friend' } },
    });
    await becameMember(product, player);
    // The account of a stranger until now has to choose a password again.
    if ((await looked(product, player.caller)).status === 401) await signInAnew(product, player);
    return answer;
  },
  'tier at the venue': async ({ product: { staff } }, { customer }, { tier }) =>
    customer ? staff.call('POST', `/api/customers/${customer}/tier`, { tier_name: tier }) : null,
  'keep tier at the venue': async ({ product: { staff } }, { customer }) =>
    customer ? staff.call('POST', `/api/customers/${customer}/tier/keep`, EMPTY) : null,
  pour: async (cast, player, { glasses }) => pour(cast, player, glasses),
  void: async (cast, player, { back }) => {
    const id = player.pours.at(-1 - back);
    if (!id) return null;
    return cast.product.staff.call('POST', `/api/pours/${id}/void`, { reason: 'Spilled' });
  },
  give: async (cast, { customer }, { glasses, onTheHouse }) => {
    if (!customer) return null;
    const kind = onTheHouse ? 'comp' : 'correction';
    const given = { request_id: v7(), kind, reason: 'Counted wrong', glasses };
    return cast.product.staff.call('POST', `/api/customers/${customer}/glasses`, given);
  },
  'change tier': async ({ product }, player, { tier }) => {
    const { caller } = player;
    const preview = await caller.call('POST', '/api/billing/tier/preview', { tier });
    if (preview.status >= 300) return preview;
    // The bank's approval of the difference is not in these sequences.
    if (preview.body.kind === 'at_once' && (await chargedCard(product, player)) === 'asks') return null;
    return caller.call('POST', '/api/billing/tier', { preview_id: preview.body.id });
  },
  'keep tier': async (_cast, { caller }) => caller.call('POST', '/api/billing/tier/cancel-change', EMPTY),
  pause: async (_cast, { caller }, { months }) => caller.call('POST', '/api/billing/pause', { months }),
  'extend pause': async (_cast, { caller }) => {
    const { pause } = await caller.must<PauseShown>('GET', '/api/billing/pause');
    return pause ? caller.call('POST', '/api/billing/pause/extend', { until: pause.until }) : null;
  },
  return: async (_cast, { caller }) => {
    const { pause } = await caller.must<PauseShown>('GET', '/api/billing/pause');
    return caller.call('POST', '/api/billing/pause/end', { amount: pause?.amount ?? 0 });
  },
  cancel: async (_cast, { caller }) => caller.call('POST', '/api/functions/cancel-subscription', EMPTY),
  resume: async (_cast, { caller }) => caller.call('POST', '/api/billing/resume', EMPTY),
  'end by staff': async ({ product: { staff } }, { customer }, { now }) => {
    if (!customer) return null;
    const path = `/api/customers/${customer}/membership-end`;
    const { period_end } = await staff.must<{ period_end: string | null }>('GET', path);
    if (!period_end) return null;
    return staff.call('POST', path, { when: now ? 'now' : 'period_end', reason: 'other', period_end });
  },
  'pour late': async (cast, player, { glasses, minutes }) => {
    const poured_at = new Date(cast.product.app.clock.now().getTime() - minutes * 60_000).toISOString();
    return pour(cast, player, glasses, { poured_at });
  },
  share: async (cast, player) => {
    const link = await player.caller.call('PUT', '/api/household/invitation', EMPTY);
    if (link.status >= 300) return link;
    const partner = await cast.partner(player);
    const token = String(link.body.url).split('#')[1] ?? '';
    const answer = await acceptShare(cast.product.app, partner.caller, token);
    if (answer.status < 300) await becameMember(cast.product, partner);
    return answer;
  },
  unshare: async (_cast, { caller }) => caller.call('DELETE', '/api/household'),
  'give to guest': async ({ product }, player) => {
    const answer = await player.caller.call('POST', '/api/guest-glasses');
    if (answer.status >= 300) return answer;
    const token = String(answer.body.url).split('#')[1] ?? '';
    await product.app.visitor().must('POST', '/api/guest-glasses/state-age', { token, age: 21 });
    player.guests.push({ id: String(answer.body.id), state: 'held' });
    return answer;
  },
  'pour for guest': async (cast, player) => {
    const id = await heldGlass(player);
    return id ? pour(cast, player, 1, { guest_glass_id: id }) : null;
  },
  'withdraw from guest': async (_cast, player) => {
    const id = await heldGlass(player);
    return id ? player.caller.call('DELETE', `/api/guest-glasses/${id}`) : null;
  },
  refund: async ({ product: { staff } }, { customer }, { back, part }) => {
    const payment = await paymentOf(staff, customer, back);
    if (!payment) return null;
    const left = payment.amount - payment.amount_refunded;
    if (left === 0) return null;
    return staff.call('POST', `/api/customers/${customer}/refunds`, {
      request_id: v7(),
      payment_id: payment.id,
      amount: refunded(left, part),
      shown_refunded: payment.amount_refunded,
      reason: 'Asked for',
    });
  },
  dispute: async ({ product }, { caller }, { back }) => {
    const charge = (await newestCharges(product, caller)).at(back);
    if (!charge || charge.disputed || charge.amount === charge.amount_refunded) return null;
    await product.control('disputes', { charge: charge.id });
    return looked(product, caller);
  },
  'bank decides': async ({ product }, { caller }, { won }) => {
    const charges = await newestCharges(product, caller);
    for (const charge of charges.filter(({ disputed }) => disputed)) {
      const [dispute] = (await product.stripe.disputes.list({ charge: charge.id })).data;
      if (dispute?.status !== 'needs_response') continue;
      await product.control('disputes/close', { dispute: dispute.id, won });
      return looked(product, caller);
    }
    return null;
  },
};

interface PauseShown {
  pause: { amount: number; until: number | null } | null;
}

async function pour(cast: Cast, player: Player, quantity: number, more: object = {}) {
  if (!player.customer) return null;
  const { staff } = cast.product;
  const answer = await staff.call('POST', '/api/pours', {
    request_id: v7(),
    customer_id: player.customer,
    quantity,
    location: 'bar',
    ...more,
  });
  if (answer.status < 300) player.pours.push((answer.body.pour as { id: string }).id);
  return answer;
}

/** The oldest guest glass that this person holds. */
async function heldGlass({ caller }: Player): Promise<string | undefined> {
  const answer = await caller.call<{ glasses: { id: string; state: string }[] }>('GET', '/api/guest-glasses');
  return answer.body.glasses?.findLast(({ state }) => state === 'held')?.id;
}

interface MemberPayment {
  id: string;
  paid_at: string;
  amount: number;
  amount_refunded: number;
}

const newestCharges = async (product: Product, caller: Caller) =>
  newestFirst((await product.charges(caller.id)).map((it) => ({ ...it, at: it.created })));

async function paymentOf(staff: Caller, customer: string, back: number): Promise<MemberPayment | undefined> {
  if (!customer) return undefined;
  const list = await staff.must<MemberPayment[]>('GET', `/api/customers/${customer}/payments`);
  const paid = list.filter(({ amount }) => amount > 0).map((it) => ({ ...it, at: Date.parse(it.paid_at) }));
  return newestFirst(paid).at(back);
}
