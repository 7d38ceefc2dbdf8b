import type { AuditAct } from './audit.ts';

// Nothing changes a stored entry, so rows keep the names of 1.0.0, which called an email a letter.

/** An act's name in its row. */
export type StoredAct = Exclude<AuditAct, 'email_sent'> | 'letter_sent';
type Facts = Record<string, string | number | null>;

const FACTS = { email: 'letter', email_id: 'letter_id' };
const STORED_FACTS = Object.fromEntries(Object.entries(FACTS).map(([name, value]) => [value, name]));

const rename = (facts: Facts, names: Record<string, string>): Facts =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [names[name] ?? name, value]));

export const toStoredAct = (act: AuditAct | StoredAct): StoredAct =>
  act === 'email_sent' ? 'letter_sent' : act;
export const fromStoredAct = (act: StoredAct): AuditAct => (act === 'letter_sent' ? 'email_sent' : act);
export const toStoredFacts = (facts: Facts): Facts => rename(facts, FACTS);
export const fromStoredFacts = (facts: Facts): Facts => rename(facts, STORED_FACTS);
