import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  createBackupCodesInput,
  createFactorInput,
  deleteFactorInput,
  Factor,
  verifyBackupCodeInput,
  verifyFactorInput,
} from '../../../contract/auth/auth.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { profiles, two_factors } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { AuthContext, AuthServices } from '../auth-context.ts';
import { twoFactorChangedEmail } from '../auth-emails.ts';
import { callLibrary, type LibraryContext } from '../library-call.ts';
import { reauthenticate } from '../password/reauthenticate.ts';
import type { CodeOwner } from './code-owner.ts';

type FactorContext = LibraryContext & Pick<AuthServices, 'db' | 'newId' | 'outbox' | 'venue'>;
/** For what only signed-in users do. */
type OwnFactorContext = LibraryContext & AuthContext;

const OK = { ok: true } as const;

/** Throws Refusal NOT_SIGNED_IN without a session or a sign-in that waits for a code. */
async function codeOwner({ auth, headers }: LibraryContext): Promise<CodeOwner> {
  const owner = await auth.api.getCodeOwner({ headers });
  if (!owner) throw new Refusal('NOT_SIGNED_IN');
  return owner;
}

async function factorsOf({ db }: Pick<AuthServices, 'db'>, user_id: string): Promise<Factor[]> {
  const { id, verified } = two_factors;
  const rows = await db.select({ id, verified }).from(two_factors).where(eq(two_factors.userId, user_id));
  return rows.map((row) => ({
    id: row.id,
    type: 'totp',
    status: row.verified ? 'verified' : 'unverified',
  }));
}

/** Throws Refusal NOT_FOUND when the user has no such factor. */
async function requireFactor({ db }: Pick<AuthServices, 'db'>, user_id: string, id: string): Promise<void> {
  const own = and(eq(two_factors.userId, user_id), eq(two_factors.id, id));
  const [row] = await db.select({ id: two_factors.id }).from(two_factors).where(own);
  if (!row) throw new Refusal('NOT_FOUND', { what: 'factor' });
}

/** Does the work, and emails the user when it turned two-step sign-in on or off. */
async function announcing<T>(ctx: FactorContext, user_id: string, work: () => Promise<T>): Promise<T> {
  const isOn = async () => {
    const [row] = await ctx.db
      .select({ on: profiles.twoFactorEnabled })
      .from(profiles)
      .where(eq(profiles.id, user_id));
    return row?.on === true;
  };
  const before = await isOn();
  const result = await work();
  const on = await isOn();
  if (on !== before) {
    await sendEmail(ctx, ctx.db, {
      user_id,
      cause: `second-factor:${ctx.newId()}`,
      compose: (venue, firstName) => twoFactorChangedEmail(venue, firstName, on),
    });
  }
  return result;
}

/** At most one; unverified until its first code was right. Throws Refusal NOT_SIGNED_IN. */
export async function listFactors(ctx: FactorContext): Promise<Factor[]> {
  return factorsOf(ctx, (await codeOwner(ctx)).user_id);
}

/**
 * Starts setting up an authenticator app, again if that was not completed before. Throws what reauthenticate
 * throws, and Refusal TWO_FACTOR_ALREADY_ENABLED.
 */
export async function createFactor(
  ctx: OwnFactorContext,
  { password }: z.output<typeof createFactorInput>,
): Promise<Factor & { totp_uri: string; backup_codes: string[] }> {
  const { user_id } = ctx.actor;
  const { totpURI, backupCodes } = await callLibrary(ctx, '/two-factor/enable', {
    body: { password },
    requires: () => reauthenticate(ctx, user_id, password),
  });
  const [factor] = await factorsOf(ctx, user_id);
  if (!factor) throw new Refusal('NOT_FOUND', { what: 'factor' });
  return { ...factor, totp_uri: String(totpURI), backup_codes: backupCodes as string[] };
}

/** Throws Refusal NOT_SIGNED_IN, NOT_FOUND. */
export async function challengeFactor(ctx: FactorContext, { id }: { id: string }) {
  const owner = await codeOwner(ctx);
  await requireFactor(ctx, owner.user_id, id);
  return { id: owner.id, type: 'totp' as const, expires_at: owner.expires_at.toISOString() };
}

/** Throws Refusal NOT_SIGNED_IN, NOT_FOUND, CODE_INVALID, CODE_USED, TOO_MANY_CODES, TOO_MANY_ATTEMPTS. */
export async function verifyFactor(
  ctx: FactorContext,
  { id, code, trust_device: trustDevice }: z.output<typeof verifyFactorInput>,
): Promise<typeof OK> {
  const { user_id } = await codeOwner(ctx);
  await requireFactor(ctx, user_id, id);
  await announcing(ctx, user_id, () =>
    callLibrary(ctx, '/two-factor/verify-totp', { body: { code, trustDevice } }),
  );
  return OK;
}

/** Throws Refusal NOT_FOUND, and what reauthenticate throws. */
export async function deleteFactor(
  ctx: OwnFactorContext,
  { id, password }: z.output<typeof deleteFactorInput>,
): Promise<typeof OK> {
  const { user_id } = ctx.actor;
  await requireFactor(ctx, user_id, id);
  await announcing(ctx, user_id, () =>
    callLibrary(ctx, '/two-factor/disable', {
      body: { password },
      requires: () => reauthenticate(ctx, user_id, password),
    }),
  );
  return OK;
}

/** Throws Refusal TWO_FACTOR_NOT_ENABLED, and what reauthenticate throws. */
export async function createBackupCodes(
  ctx: OwnFactorContext,
  { password }: z.output<typeof createBackupCodesInput>,
): Promise<{ backup_codes: string[] }> {
  const { backupCodes } = await callLibrary(ctx, '/two-factor/generate-backup-codes', {
    body: { password },
    requires: () => reauthenticate(ctx, ctx.actor.user_id, password),
  });
  return { backup_codes: backupCodes as string[] };
}

/** Throws Refusal NOT_SIGNED_IN, CODE_INVALID, TOO_MANY_CODES, TOO_MANY_ATTEMPTS. */
export async function verifyBackupCode(
  ctx: FactorContext,
  { code, trust_device: trustDevice }: z.output<typeof verifyBackupCodeInput>,
): Promise<typeof OK> {
  await callLibrary(ctx, '/two-factor/verify-backup-code', { body: { code, trustDevice } });
  return OK;
}
