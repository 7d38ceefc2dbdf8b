import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { PASSWORD_HEADER } from '../../../contract/auth/auth-base.ts';
import type { TokenSession } from '../../../contract/auth/auth-user.ts';
import type {
  createBackupCodesInput,
  createFactorInput,
  deleteFactorInput,
  Factor,
  verifyBackupCodeInput,
  verifyFactorInput,
} from '../../../contract/auth/factors.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { unixSeconds } from '../../../domain/calendar.ts';
import { and, eq } from '../../db/orm.ts';
import { violatedConstraint } from '../../db/results.ts';
import { profiles, two_factors } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import { provedLately } from '../app-sessions/app-sessions.ts';
import type { Bearer } from '../app-sessions/bearer.ts';
import { completing, type TokenContext } from '../app-sessions/token-calls.ts';
import { logAuthEvent, SECOND_FACTOR_OFF } from '../audit-log.ts';
import type { AuthContext, AuthServices } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { callLibrary, type LibraryContext } from '../library-call.ts';
import { withoutPassword } from '../password/hash.ts';
import { passwordOf, reauthenticate } from '../password/reauthenticate.ts';
import type { CodeOwner } from './code-owner.ts';
import { removeSecondFactor } from './two-factor-reset.ts';

type FactorContext = LibraryContext & Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'>;
/** Context for completing a sign-in, in cookies or in tokens. */
type CompletingContext = FactorContext & TokenContext & { bearer: Bearer };
/** Context for calls that need a signed-in user. */
type OwnFactorContext = LibraryContext & AuthContext & { actor: { app: boolean; session_id: string } };

type Completed = TokenSession | { ok: true };

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

/** Throws Refusal NOT_FOUND if the user has no such factor. */
async function requireFactor({ db }: Pick<AuthServices, 'db'>, user_id: string, id: string) {
  const filter = and(eq(two_factors.userId, user_id), eq(two_factors.id, id));
  const [row] = await db.select({ verified: two_factors.verified }).from(two_factors).where(filter);
  if (!row) throw new Refusal('NOT_FOUND', { what: 'factor' });
  return row;
}

/** Codes tried in open sessions, which the auth library does not count; the window is in seconds. */
const TRIES = { max: 10, window: 900 };
const countCode = (ctx: Pick<AuthServices, 'db' | 'now' | 'newId'>, user_id: string) =>
  consumeRateLimit(ctx, `code-again|${user_id}`, TRIES);

/** Throws what passwordOf and reauthenticate throw, unless no password is sent and the app's session proved this lately. */
async function proveAgain(ctx: OwnFactorContext, proof: 'password' | 'code', field: string | undefined) {
  const { app, session_id, user_id } = ctx.actor;
  const hasField = field !== undefined || ctx.headers.has(PASSWORD_HEADER);
  if (!hasField && app && (await provedLately(ctx.db, session_id, proof))) return;
  await reauthenticate(ctx, user_id, passwordOf(ctx.headers, field));
}

const askProved = (
  ctx: LibraryContext,
  path: '/two-factor/enable' | '/two-factor/disable',
  { requires, ...body }: { issuer?: string; requires(): Promise<void> },
) => withoutPassword(() => callLibrary(ctx, path, { body: { ...body, password: 'proved' }, requires }));

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
  const state = await isOn();
  if (state !== before) {
    await sendEmail(ctx, ctx.db, {
      user_id,
      cause: `second-factor:${ctx.newId()}`,
      email: authEmails[state ? 'two_factor_on' : 'two_factor_off'].about(),
    });
  }
  return result;
}

/** The user's factors: at most one, unverified until its first code. Throws Refusal NOT_SIGNED_IN. */
export async function listFactors(ctx: FactorContext): Promise<Factor[]> {
  return factorsOf(ctx, (await codeOwner(ctx)).user_id);
}

/**
 * Starts setting up an authenticator app, replacing an unfinished setup. Throws what proveAgain throws, and Refusal
 * TWO_FACTOR_ALREADY_ENABLED.
 */
export async function createFactor(
  ctx: OwnFactorContext,
  { password: field, friendly_name }: z.output<typeof createFactorInput>,
) {
  const { user_id } = ctx.actor;
  // The club's current name; the library uses the name from its start.
  const enable = (requirement: () => Promise<void>) =>
    askProved(ctx, '/two-factor/enable', { issuer: ctx.venue.club_name, requires: requirement });
  const { totpURI, backupCodes } = await enable(() => proveAgain(ctx, 'password', field)).catch((error) => {
    // Two tabs started at once; the repeat replaces the first one's setup.
    if (violatedConstraint(error) === 'two_factors_user_id_unique') return enable(async () => undefined);
    throw error;
  });
  const [factor] = await factorsOf(ctx, user_id);
  if (!factor) throw new Refusal('NOT_FOUND', { what: 'factor' });
  const uri = String(totpURI);
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const totp = { qr_code: renderSVG(uri), secret, uri };
  const secrets = { totp_uri: uri, backup_codes: backupCodes as string[], totp };
  return { ...factor, ...secrets, friendly_name: friendly_name ?? '' };
}

/** Throws Refusal NOT_SIGNED_IN, NOT_FOUND. */
export async function challengeFactor(ctx: FactorContext, { id }: { id: string }) {
  const owner = await codeOwner(ctx);
  await requireFactor(ctx, owner.user_id, id);
  return { id: owner.id, type: 'totp' as const, expires_at: unixSeconds(owner.expires_at) };
}

/**
 * Throws Refusal NOT_SIGNED_IN, NOT_FOUND, CHALLENGE_NOT_FOUND, CODE_INVALID, CODE_USED, TOO_MANY_CODES,
 * TOO_MANY_ATTEMPTS, SESSION_ENDED.
 */
export async function verifyFactor(
  ctx: CompletingContext,
  { id, code, challenge_id, trust_device }: z.output<typeof verifyFactorInput>,
): Promise<Completed> {
  const owner = await codeOwner(ctx);
  const { user_id } = owner;
  await requireFactor(ctx, user_id, id);
  if (challenge_id !== undefined && challenge_id !== owner.id) throw new Refusal('CHALLENGE_NOT_FOUND');
  if (owner.signed_in) await countCode(ctx, user_id);
  return completing(ctx, (ownCtx) =>
    announcing(ctx, user_id, () =>
      callLibrary(ownCtx, '/two-factor/verify-totp', {
        body: { code, trustDevice: trusts(ctx, trust_device) },
      }),
    ),
  );
}

/** An app stores no cookie by which a device could be trusted. */
const trusts = ({ bearer }: { bearer: Bearer }, wish: boolean) => wish && bearer.kind === 'none';

/** Throws Refusal CODE_INVALID, CODE_USED, TOO_MANY_ATTEMPTS. */
async function checkCode(ctx: OwnFactorContext, code: string): Promise<void> {
  await countCode(ctx, ctx.actor.user_id);
  const ownCtx = { ...ctx, setCookies: () => undefined };
  await callLibrary(ownCtx, '/two-factor/verify-totp', { body: { code, trustDevice: false } });
}

/**
 * Deletes a factor. Requires a code, a session that proved one lately, or the password; for an unconfirmed factor, which
 * protects nothing yet, the password or a session that proved it lately. Throws Refusal NOT_FOUND, and what checkCode and
 * proveAgain throw.
 */
export async function deleteFactor(
  ctx: OwnFactorContext,
  { id, code, password: field }: z.output<typeof deleteFactorInput>,
): Promise<{ ok: true; id: string }> {
  const { user_id, app } = ctx.actor;
  const { verified } = await requireFactor(ctx, user_id, id);
  const requires = () =>
    verified && code !== undefined
      ? checkCode(ctx, code)
      : proveAgain(ctx, verified ? 'code' : 'password', field);
  await announcing(ctx, user_id, async () => {
    if (!app) {
      await askProved(ctx, '/two-factor/disable', { requires });
      return;
    }
    // The auth library would replace this session, while the app continues with this one's tokens.
    await requires();
    await ctx.db.transaction((tx) => removeSecondFactor(tx, user_id, ctx.now()));
    logAuthEvent(ctx.log, SECOND_FACTOR_OFF, { user_id, from: ctx.headers.get(CLIENT_IP_HEADER) });
  });
  return { ok: true, id };
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

/** Throws Refusal NOT_SIGNED_IN, CODE_INVALID, TOO_MANY_CODES, TOO_MANY_ATTEMPTS, SESSION_ENDED. */
export async function verifyBackupCode(
  ctx: CompletingContext,
  { code, trust_device }: z.output<typeof verifyBackupCodeInput>,
): Promise<Completed> {
  const body = { code, trustDevice: trusts(ctx, trust_device) };
  const owner = await codeOwner(ctx);
  if (owner.signed_in) await countCode(ctx, owner.user_id);
  return completing(ctx, (ownCtx) => callLibrary(ownCtx, '/two-factor/verify-backup-code', { body }));
}
