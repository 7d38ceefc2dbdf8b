import { createHash, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { Refusal } from '../../contract/refusals.ts';
import type { setUpClubInput } from '../../contract/staff/setup.ts';
import type { ClubSettings } from '../../domain/club/club-settings.ts';
import { deviceName } from '../../domain/staff/device-name.ts';
import { SETUP_CODE_LENGTH, SETUP_CODE_LETTERS, setupCodeOf } from '../../domain/staff/setup-code.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Db, Tx } from '../db/client.ts';
import { eq, inArray } from '../db/orm.ts';
import { audit_entry, user_roles } from '../db/schema.ts';
import type { Club } from '../membership/club/club.ts';
import { changeClub } from '../membership/club/club-settings.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import { logAuthEvent, logAuthRefusal } from './audit-log.ts';
import type { AuthServices } from './auth-context.ts';
import type { LibraryContext } from './library-call.ts';
import { assertHardToGuess } from './password/password-rules.ts';
import { giveStaffRole } from './staff-accounts.ts';
import { lockStaffPermissions } from './team/permissions.ts';

// Rules: docs/rules/staff.md, "First start".

/** Code attempts per client IP; the window is in seconds. */
const TRIES = { max: 20, window: 900 };

/** The code that opens the set-up page of this process. Only its hash is stored. */
export type FirstStart = ReturnType<typeof openFirstStart>;

const hashOf = (code: string) => createHash('sha256').update(code).digest();

/** 100 bits of the secret, in characters that are not easily confused. */
function codeFrom(secret: string): string {
  const bytes = createHash('sha256').update(secret).digest();
  const letters = [...bytes.subarray(0, SETUP_CODE_LENGTH)].map((byte) => SETUP_CODE_LETTERS[byte % 32]);
  return letters.join('');
}

export function openFirstStart({ db, newSecret }: { db: Db; newSecret(): string }) {
  let secretCode: string | null = codeFrom(newSecret());
  const hash = hashOf(secretCode);
  let isOver = false;
  return {
    /** The code, to be printed once; null the next time, and if the club was set up before. */
    async takeCode(): Promise<string | null> {
      const code = secretCode;
      secretCode = null;
      return (await this.isOver()) ? null : code;
    },
    matches: (code: string) => !isOver && timingSafeEqual(hashOf(setupCodeOf(code)), hash),
    /** Whether there is, or ever was, a staff account; the page is then gone for good. */
    async isOver(): Promise<boolean> {
      isOver ||= await wasSetUp(db);
      return isOver;
    },
  };
}

/** The audit never loses a row, so a club whose last staff member left cannot be set up again. */
async function wasSetUp(db: Db | Tx): Promise<boolean> {
  if ((await db.$count(user_roles, eq(user_roles.role, 'staff'))) > 0) return true;
  return (await db.$count(audit_entry, inArray(audit_entry.act, ['staff_added', 'staff_joined']))) > 0;
}

type SetupContext = AuthServices & LibraryContext & { firstStart: FirstStart; club: Club };

async function assertCode(ctx: SetupContext, code: string): Promise<void> {
  if (await ctx.firstStart.isOver()) throw new Refusal('NOT_FOUND', { what: 'page' });
  // Opening the page without a code only reveals that it is there.
  if (code === '') throw new Refusal('LINK_INVALID');
  const from = ctx.headers.get(CLIENT_IP_HEADER);
  await consumeRateLimit(ctx, `setup|${from}`, TRIES);
  if (ctx.firstStart.matches(code)) return;
  logAuthRefusal(ctx.log, 'set-up', { code: 'LINK_INVALID', email: undefined, from });
  throw new Refusal('LINK_INVALID');
}

/** The set-up page's data. Throws Refusal NOT_FOUND once there is a staff account, LINK_INVALID, TOO_MANY_ATTEMPTS. */
export async function readSetup(
  ctx: SetupContext,
  { code }: { code: string },
): Promise<Pick<ClubSettings, 'club_name' | 'time_zone'>> {
  await assertCode(ctx, code);
  const { club_name, time_zone } = ctx.club.current();
  return { club_name, time_zone };
}

/**
 * Makes the first staff account, which gets every permission (db/functions/staff.sql), and names the club, in one
 * transaction. Of two browsers at once, the second finds the page gone. An existing account with this email becomes staff:
 * with its own password if the email was confirmed, otherwise with this one, and all other access ends. Throws what
 * readSetup throws, and Refusal PASSWORD_COMMON, PASSWORD_PERSONAL.
 */
export async function setUpClub(
  ctx: SetupContext,
  { code, email: address, password, first_name, last_name, ...club }: z.output<typeof setUpClubInput>,
): Promise<{ email: string }> {
  await assertCode(ctx, code);
  const { db, now, newId, auth, headers, log, venue } = ctx;
  const email = address.toLowerCase();
  const names = { first_name, last_name };
  await assertHardToGuess({ venue: { ...venue, club_name: club.club_name } }, password, { email, ...names });
  // Hashing is slow on purpose, so it comes before the transaction.
  const hash = await (await auth.$context).password.hash(password);
  const { user_id } = await db.transaction(async (tx) => {
    await lockStaffPermissions(tx);
    if (await wasSetUp(tx)) throw new Refusal('NOT_FOUND', { what: 'page' });
    const account = await giveStaffRole(tx, ctx, { email, names, hashed: hash });
    const device = deviceName(headers.get('user-agent'));
    const self = { now, newId, actor: { user_id: account.user_id, role: 'staff', device } } as const;
    const facts = { account: account.outcome };
    await recordAudit(tx, self, { act: 'staff_added', subject_id: account.user_id, facts });
    await changeClub(tx, { ...self, club: ctx.club }, { changes: club, reset: [] });
    return account;
  });
  await ctx.club.refresh();
  logAuthEvent(log, 'set-up', { user_id, from: headers.get(CLIENT_IP_HEADER) });
  return { email };
}
