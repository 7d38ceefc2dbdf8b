import { brokenInvariants, type Query } from './invariants.ts';
import { compareWithLedger, type Journal } from './journal.ts';

/**
 * What is wrong once no request is in flight: promises that the ledger does not keep, and invariants that do not hold.
 */
export const wrongInBooks = async (journal: Journal, query: Query): Promise<string[]> => [
  ...(await compareWithLedger(journal, query)),
  ...(await brokenInvariants(query)),
];
