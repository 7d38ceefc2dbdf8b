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
  customer_id: string;
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
        'now' | 'staff_email' | 'customer_id' | 'holds'
      >),
      version: name,
      dataFolder: () => new Blob([zstdDecompressSync(read('data-folder.tar.zst'))]),
      dump: () => gunzipSync(read('postgres.sql.gz')).toString(),
    };
  });
}

interface LedgerRow {
  id: string;
  quantity: number;
  voided: object | null;
}

/** The member, the balance and the ledger for staff: fields present in every version. */
export async function readHeld(staff: Caller, customerId: string) {
  const bar = await staff.must<{ pours_balance: number; tier: string; first_name: string }>(
    'GET',
    `/api/customers/${customerId}/bar`,
  );
  const pours = await staff.must<LedgerRow[]>('GET', `/api/customers/${customerId}/pours`);
  return {
    first_name: bar.first_name,
    tier: bar.tier,
    balance: bar.pours_balance,
    pours: pours.map(({ id, quantity, voided }) => ({ id, quantity, voided: voided !== null })),
  };
}
