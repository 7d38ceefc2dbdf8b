import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Caller } from '../harness/caller.ts';

/** The data written by a release, as stored by scripts/release-fixtures.ts. */
export interface Release {
  version: string;
  /** The time of writing, on the installation's clock. */
  now: string;
  staff_email: string;
  /** The members by their state. */
  customers: Record<string, string>;
  /** The result of readHeld. */
  holds: unknown;
  /** The files of its embedded database. */
  dataFolder(): Blob;
  /** Statements that recreate its database on a Postgres server. */
  dump(): string;
}

const folder = import.meta.dirname;

/** All stored releases. */
export function readReleases(): Release[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((it) => it.isDirectory());
  return names.map(({ name }) => {
    const read = (file: string) => readFileSync(join(folder, name, file));
    return {
      ...(JSON.parse(read('facts.json').toString()) as Pick<
        Release,
        'now' | 'staff_email' | 'customers' | 'holds'
      >),
      version: name,
      dataFolder: () => new Blob([zstdDecompressSync(read('data-folder.tar.zst'))]),
      dump: () => gunzipSync(read('postgres.sql.gz')).toString(),
    };
  });
}

interface BarRow {
  first_name: string;
  tier: string;
  standing: string;
  dispute: string | null;
  gift: object | null;
  pours_balance: number;
}

interface Held {
  first_name: string;
  tier: string;
  standing: string;
  disputed: boolean;
  is_gift: boolean;
  balance: number;
  pours: { id: string; quantity: number; voided: boolean }[];
}

interface LedgerRow {
  id: string;
  quantity: number;
  voided: object | null;
}

/** What staff read of each member: standing, balance and ledger, in fields that every version has. */
export async function readHeld(staff: Caller, customers: Record<string, string>) {
  const held: Record<string, Held> = {};
  for (const [state, id] of Object.entries(customers)) {
    const bar = await staff.must<BarRow>('GET', `/api/customers/${id}/bar`);
    const pours = await staff.must<LedgerRow[]>('GET', `/api/customers/${id}/pours`);
    held[state] = {
      first_name: bar.first_name,
      tier: bar.tier,
      standing: bar.standing,
      disputed: bar.dispute !== null,
      is_gift: bar.gift !== null,
      balance: bar.pours_balance,
      pours: pours.map(({ id, quantity, voided }) => ({ id, quantity, voided: voided !== null })),
    };
  }
  return held;
}
