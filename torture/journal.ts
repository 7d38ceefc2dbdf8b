import { brokenInvariants, type Query } from './invariants.ts';

export interface Request {
  request_id: string;
  customer_id: string;
  quantity: number;
  guest_glass_id?: string;
  /** unknown: sent, without a response yet. */
  outcome: 'unknown' | 'recorded' | 'refused';
  pour_id?: string;
  /** True once a void was acknowledged; 'asked' until a response comes. */
  voided?: true | 'asked';
}

/** The server's promises to clients, to compare with the ledger. */
export class Journal {
  readonly requests = new Map<string, Request>();
  /** The number of responses by status; 0 stands for no response. */
  readonly statuses = new Map<number, number>();
  /** The time of the last acknowledgement, in milliseconds of performance.now(). */
  lastAcknowledged = 0;
  /** Responses that no fault explains. */
  readonly unexpected: string[] = [];

  open(request: Pick<Request, 'request_id' | 'customer_id' | 'quantity' | 'guest_glass_id'>): Request {
    const entry: Request = { ...request, outcome: 'unknown' };
    this.requests.set(entry.request_id, entry);
    return entry;
  }

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  acknowledged(): Request[] {
    return [...this.requests.values()].filter(({ outcome }) => outcome === 'recorded');
  }

  /** 'recorded 812, refused 40, unknown 3; answers 201: 812, 409: 40'. */
  summary(): string {
    const counts = Object.groupBy(this.requests.values(), ({ outcome }) => outcome);
    const outcomes = Object.entries(counts).map(([outcome, requests]) => `${outcome} ${requests?.length}`);
    const statuses = [...this.statuses].sort().map(([status, times]) => `${status || 'none'}: ${times}`);
    return `${outcomes.join(', ')}; answers ${statuses.join(', ')}`;
  }
}

/**
 * The unexpected responses, and the ledger's differences from the journal: lost or changed pours and voids, refused or
 * unsent ones, and duplicates. No request may be in flight.
 */
async function compareWithLedger(journal: Journal, query: Query): Promise<string[]> {
  const rows = await query(
    `select p.id, p.request_id, p.customer_id, p.quantity, v.pour_id is not null as voided
       from pours p left join pour_voids v on v.pour_id = p.id`,
  );
  const problems = [...journal.unexpected];
  const rowOf = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const id = String(row.request_id);
    if (rowOf.has(id)) problems.push(`request ${id} is in the ledger twice`);
    if (!journal.requests.has(id)) problems.push(`nobody sent request ${id}, and the ledger has it`);
    rowOf.set(id, row);
  }
  for (const request of journal.requests.values()) {
    const row = rowOf.get(request.request_id);
    const name = `request ${request.request_id}`;
    if (request.outcome === 'recorded' && !row) problems.push(`${name} was acknowledged, and is lost`);
    if (request.outcome === 'refused' && row) problems.push(`${name} was refused, and is in the ledger`);
    if (!row) continue;
    if (row.customer_id !== request.customer_id || row.quantity !== request.quantity) {
      problems.push(`${name} is in the ledger as another pour`);
    }
    if (request.voided === true && !row.voided)
      problems.push(`the void of ${name} was acknowledged, and is lost`);
    if (!request.voided && row.voided) problems.push(`nobody voided ${name}, and it is voided`);
  }
  return problems;
}

export const wrongInBooks = async (journal: Journal, query: Query): Promise<string[]> => [
  ...(await compareWithLedger(journal, query)),
  ...(await brokenInvariants(query, 'UTC')),
];
