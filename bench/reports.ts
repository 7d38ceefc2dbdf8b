/**
 * Each report of the club over a large ledger, on a real Postgres, as the server asks for it: with the statements'
 * limit of the product, after its own task has closed the days. The database makes ten years of pours itself. Prints
 * markdown tables:
 *
 *     npm run bench -- reports [pours] [members]
 */
import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { addDays, localDate } from '../src/domain/calendar.ts';
import { COMMAND_LINE } from '../src/server/audit/record-audit.ts';
import { type Db, openPostgres } from '../src/server/db/client.ts';
import type { Venue } from '../src/server/mail/email.ts';
import { reportAbsent } from '../src/server/reports/absent-report.ts';
import { listAtRisk } from '../src/server/reports/at-risk/at-risk-list.ts';
import { closeDays } from '../src/server/reports/closed-days.ts';
import { reportMembers } from '../src/server/reports/members-report.ts';
import { reportPours } from '../src/server/reports/pours-report.ts';
import { exportReport } from '../src/server/reports/report-files.ts';
import { reportRevenue } from '../src/server/reports/revenue-report.ts';
import { getTonight } from '../src/server/reports/tonight-report.ts';
import { reportUnused } from '../src/server/reports/unused-report.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { fillWithHistory } from './parts/history.ts';
import { quantile, short, took } from './parts/timing.ts';

const ROUNDS = 20;
const TIME_ZONE = 'America/New_York';
/** Filling takes longer than the product's limit for statements. */
const PATIENT = { connect: 10_000, query: 1_800_000, close: 10_000 };
const VENUE: Venue = {
  club_name: 'The Club',
  public_url: 'https://club.example',
  support_email: 'help@club.example',
  minimum_age: 21,
  terms_url: null,
  time_zone: TIME_ZONE,
};

const [pours = 10_000_000, members = 100_000] = process.argv.slice(2).map(Number);
const server = await startPostgres();
try {
  const patient = await openPostgres(server.url, { limits: PATIENT });
  const filled = await took(() => fillWithHistory(patient.db, { pours, members, timeZone: TIME_ZONE }));
  await patient.close();
  const { db, close } = await openPostgres(server.url);
  try {
    let made = 0;
    const summarized = await took(async () => {
      made = await closeDays({ db, timeZone: TIME_ZONE });
    });
    const voided = await took(() => voidOldPour(db));
    console.log(
      `\n${pours.toLocaleString('en')} pours of ${members.toLocaleString('en')} members, made in ${(filled / 1000).toFixed(0)} s; ${made} days closed in ${(summarized / 1000).toFixed(0)} s; a void of an old pour in ${short(voided)} ms\n`,
    );
    console.log('| report | p50, ms | p95, ms | longest, ms |');
    console.log('|---|---:|---:|---:|');
    for (const [what, ask] of questions(db)) await measure(what, ask);
  } finally {
    await close();
  }
} finally {
  await server.stop();
}

function questions(db: Db): [string, () => Promise<unknown>][] {
  const ctx = {
    db,
    actor: COMMAND_LINE as typeof COMMAND_LINE,
    newId: () => v7(),
    now: () => new Date(),
    timeZone: TIME_ZONE,
    currency: 'usd',
    readLagging: <T>(work: (from: Db) => Promise<T>) => work(db),
    venue: VENUE,
  };
  const to = localDate(new Date(), TIME_ZONE);
  const last = (days: number) => ({ from: addDays(to, 1 - days), to });
  const ranges = [
    ['30 days', last(30)],
    ['a year', last(365)],
    ['five years', last(1_826)],
  ] as const;
  return [
    ...ranges.flatMap(([name, range]): [string, () => Promise<unknown>][] => [
      [`members, ${name}`, () => reportMembers(ctx, range)],
      [`revenue and churn, ${name}`, () => reportRevenue(ctx, range)],
      [`pours, ${name}`, () => reportPours(ctx, range)],
      [`glasses unused, ${name}`, () => reportUnused(ctx, range)],
    ]),
    ['members not seen', () => reportAbsent(ctx)],
    ['members not seen, as a file', () => readAll(exportReport(ctx, { report: 'absent', ...last(30) }))],
    ['members at risk', () => listAtRisk(ctx)],
    ['tonight', () => getTonight(ctx)],
  ];
}

/** A download is generated as it is read. */
async function readAll(file: ReturnType<typeof exportReport>): Promise<void> {
  await new Response((await file).body as unknown as ReadableStream).arrayBuffer();
}

/** As staff do: its day, and that of the end of its period, are written again. */
async function voidOldPour(db: Db): Promise<void> {
  await db.execute(sql`
    select void_pour(jsonb_build_object('time_zone', ${TIME_ZONE}::text, 'void', jsonb_build_object(
             'pour_id', id, 'reason', 'mistake', 'voided_by_staff_id', recorded_by_staff_id, 'created_at', now())))
      from pours p
     where created_at between now() - interval '200 days' and now() - interval '199 days'
       and not exists (select from pour_voids v where v.pour_id = p.id) limit 1`);
}

async function measure(what: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) times.push(await took(ask));
    const row = [0.5, 0.95, 1].map((share) => short(quantile(times, share)));
    console.log(`| ${[what, ...row].join(' | ')} |`);
  } catch (error) {
    console.log(`| ${what} | ${error instanceof Error ? error.message : error} | | |`);
    process.exitCode = 1;
  }
}
