import { brokenInvariants, type Query } from './invariants.ts';
import { compareWithLedger, type Journal } from './journal.ts';

/** Violations once no request is in flight: promises that the ledger does not match, and broken invariants. */
export const wrongInBooks = async (journal: Journal, query: Query): Promise<string[]> => [
  ...(await compareWithLedger(journal, query)),
  ...(await brokenInvariants(query)),
];
