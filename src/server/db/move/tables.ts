export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

export interface MovedTable {
  name: string;
  columns: string[];
}

/** Tables about the database itself; the target has its own. */
const OF_THE_DATABASE = ['schema_functions'];

/**
 * The tables of the schema `public`, each after those that its foreign keys reference. Throws if foreign keys form a cycle,
 * because no order of inserts would work.
 */
export async function tablesInOrder(query: Query): Promise<MovedTable[]> {
  const columns = await query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname`,
  );
  const keys = await query<{ from: string; to: string }>(
    `select distinct f.relname as "from", t.relname as "to" from pg_constraint k
       join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
      where k.contype = 'f' and f.oid <> t.oid and f.relnamespace = 'public'::regnamespace`,
  );
  const remaining = new Map(
    columns.filter(({ name }) => !OF_THE_DATABASE.includes(name)).map((it) => [it.name, it]),
  );
  const order: MovedTable[] = [];
  while (remaining.size > 0) {
    const batch = [...remaining.values()]
      .filter(({ name }) => !keys.some((key) => key.from === name && remaining.has(key.to)))
      .sort((a, b) => a.name.localeCompare(b.name));
    if (batch.length === 0) throw new Error(`Foreign keys in a circle: ${[...remaining.keys()].join(', ')}`);
    for (const table of batch) remaining.delete(table.name);
    order.push(...batch);
  }
  return order;
}

/** A table's checksum: its number of rows, and two sums over their hashes that do not depend on the order. */
export interface TableSum {
  rows: number;
  sums: string;
}

/** Settings that make both databases write the same value as the same text. */
export const SAME_TEXT = `set timezone to 'UTC'; set datestyle to 'ISO, YMD'; set intervalstyle to 'postgres';
  set bytea_output to 'hex'; set extra_float_digits to 1`;

export async function sumOf(query: Query, { name, columns }: MovedTable): Promise<TableSum> {
  const hash = `md5((row(${columns.join(', ')}))::text)`;
  const half = (from: number) =>
    `coalesce(sum(('x' || substr(hash, ${from}, 16))::bit(64)::bigint::numeric), 0)`;
  const [sum] = await query<TableSum>(
    `select count(*)::float8 as rows, ${half(1)}::text || ' ' || ${half(17)}::text as sums
       from (select ${hash} as hash from "${name}") hashes`,
  );
  if (!sum) throw new Error('A sum returned no row');
  return sum;
}

/** Last values by sequence name; null for an unused one. */
export async function sequencesOf(query: Query): Promise<{ name: string; last: string | null }[]> {
  return query(
    `select quote_ident(sequencename) as name, last_value::text as last from pg_sequences
      where schemaname = 'public' order by 1`,
  );
}
