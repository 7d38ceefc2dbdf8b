import type { Setting } from './club.ts';

/** The two people of a sequence: 0 begins; 1 may share the first one's membership or have their own. */
export type Who = 0 | 1;

type DuesMonths = 1 | 3 | 6 | 12;

/** An act of a person, staff or the bank at an instant. */
export type Event =
  | { do: 'join by card'; who: Who; tier: string }
  /** With the first months paid: a year, if it does not say. */
  | { do: 'join at the venue'; who: Who; tier: string; months?: DuesMonths }
  /** A further payment at the venue, and a void of the payment before the last `back` ones. */
  | { do: 'pay dues'; who: Who; months: DuesMonths }
  | { do: 'void dues'; who: Who; back: number }
  | { do: 'redeem'; who: Who; tier: string; months: 3 | 6 }
  /** Given by the club, without a payment. */
  | { do: 'on the house'; who: Who; tier: string; months: 1 | 3 }
  /** Staff change the tier at the venue from the first unpaid day, or take that back. */
  | { do: 'tier at the venue'; who: Who; tier: string }
  | { do: 'keep tier at the venue'; who: Who }
  /** A year, paid once online: without a membership, or after what is paid at the venue. */
  | { do: 'join for a year'; who: Who; tier: string }
  | { do: 'pay a year'; who: Who }
  /** A card takes over from what is paid at the venue. */
  | { do: 'to card'; who: Who }
  | { do: 'pour'; who: Who; glasses: number }
  /** A pour made so many minutes ago, which waited for a network. */
  | { do: 'pour late'; who: Who; glasses: number; minutes: number }
  /** Voids the pour before the last `back` ones. */
  | { do: 'void'; who: Who; back: number }
  | { do: 'give'; who: Who; glasses: number; onTheHouse?: boolean }
  | { do: 'change tier'; who: Who; tier: string }
  | { do: 'keep tier'; who: Who }
  | { do: 'pause'; who: Who; months: 1 | 2 }
  /** One more month. */
  | { do: 'extend pause'; who: Who }
  | { do: 'return'; who: Who }
  | { do: 'cancel'; who: Who }
  | { do: 'resume'; who: Who }
  | { do: 'end by staff'; who: Who; now: boolean }
  /** A new card; `asks` for 3-D Secure if it is not good. */
  | { do: 'card'; who: Who; good: boolean; asks?: boolean }
  /** `back`: the number of cards saved after it. */
  | { do: 'saved card'; who: Who; back: number }
  /** On the page of the newest open invoice. */
  | { do: 'pay invoice'; who: Who }
  /** Staff act in Stripe's dashboard; a number is in days. `paid`: the open invoice is paid before the product sees the end. */
  | { do: 'end at Stripe'; who: Who; when: 'now' | 'with the period' | number; paid?: boolean }
  /** An item beside the tier's; `first`: before it. `bills`: when Stripe charges or credits the rest of the month, if at all. */
  | { do: 'add-on'; who: Who; on: boolean; first?: boolean; bills?: 'now' | 'later' }
  /** Begins a trial, extends one by so many days, or with 0 ends it. */
  | { do: 'trial'; who: Who; days: number }
  /** A subscription at the venue's own price becomes a membership. */
  | { do: 'take over'; who: Who; tier: string; price: number; addOn?: boolean }
  /** Staff end it at Stripe before the product sees the payment. */
  | { do: 'pay, ended unseen'; who: Who; tier: string }
  | { do: 'share'; who: Who }
  | { do: 'unshare'; who: Who }
  | { do: 'give to guest'; who: Who }
  | { do: 'pour for guest'; who: Who }
  | { do: 'withdraw from guest'; who: Who }
  /** `back`: the number of payments before the last one; `part`: the share of its rest. */
  | { do: 'refund'; who: Who; back: number; part: number }
  | { do: 'dispute'; who: Who; back: number }
  | { do: 'bank decides'; who: Who; won: boolean };

export type EventOf<D extends Event['do']> = Extract<Event, { do: D }>;

/** The effect of each event on a model; false if refused. */
export type Acts<M> = { [D in Event['do']]: (model: M, event: EventOf<D>) => boolean };

/** New terms of a tier; `rollover` for periods that begin from then on. */
export interface Change {
  price?: number;
  pours?: number;
  rollover?: number;
}

/** Acts of the venue that concern all members. */
export type VenueEvent =
  | { do: 'tier'; tier: string; terms: Change }
  /** Moves all members of a tier to its current price. */
  | { do: 'move'; tier: string };

/** A span of time; at its end the venue acts, then each sequence at most once, all at the same instant. */
export interface Tick {
  seconds: number;
  /** Stripe's webhooks in this time are lost. */
  lost: boolean;
  venue: VenueEvent | null;
  /** The product's regular task has written the due grants. */
  written?: boolean;
}

/** A sequence: its events by tick number. */
export type Sequence = Map<number, Event>;

export interface World extends Setting {
  start: number;
  ticks: Tick[];
  sequences: Sequence[];
}

/** Long spans pass in steps, each followed by a sweep of the product. */
export const STEP = 3 * 86_400;

/** The instants of the product's sweeps on the way. */
export function stepsBetween(from: number, seconds: number): number[] {
  const steps = [];
  for (let at = from + STEP; at < from + seconds; at += STEP) steps.push(at);
  return [...steps, from + seconds];
}
