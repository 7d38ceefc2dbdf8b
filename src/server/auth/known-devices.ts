import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { and, desc, eq, gt, inArray, lte, type SQL } from '../db/orm.ts';
import { known_devices, profiles } from '../db/schema.ts';
import { hashOfSecret } from '../platform/secret-link.ts';
import type { AuthServices } from './auth-context.ts';

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type DeviceServices = Pick<AuthServices, 'db' | 'now' | 'newSecret'>;

/** How long a device is known after a sign-in: as long as a session can last. */
const KNOWN_FOR_DAYS = 90;
const KNOWN_FOR_SECONDS = KNOWN_FOR_DAYS * 24 * 3600;
const MAX_DEVICES = 50;

/** Calls that sign a user in, once their second step is done. */
const SIGNS_IN = /^\/(sign-(in|up)\/|callback\/|passkey\/verify-authentication$|two-factor\/verify-)/;

const cookieOf = ({ context }: Pick<HookContext, 'context'>) =>
  context.createAuthCookie('device', { maxAge: KNOWN_FOR_SECONDS });

async function readSecret(ctx: Pick<HookContext, 'context' | 'getSignedCookie'>): Promise<string | null> {
  const secret = await ctx.getSignedCookie(cookieOf(ctx).name, ctx.context.secret);
  return secret || null;
}

/** The hash of the request's device; null if its cookie is missing or not signed by us. */
export async function readDevice(
  ctx: Pick<HookContext, 'context' | 'getSignedCookie'>,
): Promise<string | null> {
  const secret = await readSecret(ctx);
  return secret && hashOfSecret(secret);
}

/** Stored for a device that only chose a new password: its second step is not proven. */
const unprovenHashOf = hashOfSecret;

/**
 * Whether the device signed in within KNOWN_FOR_DAYS: to this account, or, with an email of null, to any. For an email, by
 * which passwords are tried, a device that chose the account's new password counts too.
 */
export async function isKnownDevice(
  { db, now }: Pick<DeviceServices, 'db' | 'now'>,
  device: string,
  account: { email: string | null } | { user_id: string },
): Promise<boolean> {
  const hashes = 'email' in account ? [device, unprovenHashOf(device)] : [device];
  const filters: (SQL | undefined)[] = [
    inArray(known_devices.device_hash, hashes),
    gt(known_devices.last_sign_in_at, knownSince(now())),
  ];
  if ('user_id' in account) filters.push(eq(known_devices.user_id, account.user_id));
  else if (account.email !== null) filters.push(eq(profiles.email, account.email.toLowerCase()));
  const rows = await db
    .select({ user_id: known_devices.user_id })
    .from(known_devices)
    .innerJoin(profiles, eq(profiles.id, known_devices.user_id))
    .where(and(...filters))
    .limit(1);
  return rows.length > 0;
}

/** The hash of the request's device if the account knows it; null otherwise. */
export async function knownDeviceOf(
  services: Pick<DeviceServices, 'db' | 'now'>,
  ctx: Pick<HookContext, 'context' | 'getSignedCookie'>,
  user_id: string,
): Promise<string | null> {
  const device = await readDevice(ctx);
  return device && (await isKnownDevice(services, device, { user_id })) ? device : null;
}

const knownSince = (at: Date) => new Date(at.getTime() - KNOWN_FOR_SECONDS * 1000);

/**
 * Known devices, after OWASP's device cookies: a browser that signs in gets a random, signed, HttpOnly cookie, and the
 * database its hash. It only decides by which limit a wrong password or code counts: sign-in-limits.ts. The plugin comes after the
 * second factor's, which withdraws a sign-in until its second step. auth.api.getDevice reads the cookie; no HTTP
 * path leads to it.
 */
export function knownDevices(services: DeviceServices) {
  /** Users who chose a new password by the link in their email, by the request that brought it. */
  const resets = new WeakMap<Request, string>();
  const remember = createAuthMiddleware(async (ctx) => {
    const { newSession } = ctx.context;
    const reset = ctx.request && resets.get(ctx.request);
    if (newSession) await rememberDevice(services, ctx, newSession.user.id);
    else if (reset) await rememberDevice(services, ctx, reset, unprovenHashOf);
  });
  return {
    /**
     * Makes the browser that followed the link a known device for passwords, so that a stranger's guesses cannot lock the user
     * out. Its codes count as a stranger's: an inbox proves no second step, and each link would bring new guesses.
     */
    afterPasswordReset(user_id: string, request: Request | undefined): void {
      if (request) resets.set(request, user_id);
    },
    plugin: {
      id: 'known-devices',
      endpoints: {
        getDevice: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, readDevice),
      },
      hooks: {
        after: [
          {
            matcher: ({ path }) => path !== undefined && (SIGNS_IN.test(path) || path === '/reset-password'),
            handler: remember,
          },
        ],
      },
    } satisfies BetterAuthPlugin,
  };
}

async function rememberDevice(
  services: DeviceServices,
  ctx: HookContext,
  user_id: string,
  storedHashOf = (device: string) => device,
): Promise<void> {
  const { db, now, newSecret } = services;
  const secret = (await readSecret(ctx)) ?? newSecret();
  const { name, attributes } = cookieOf(ctx);
  await ctx.setSignedCookie(name, secret, ctx.context.secret, attributes);
  const at = now();
  await db
    .insert(known_devices)
    .values({ user_id, device_hash: storedHashOf(hashOfSecret(secret)), created_at: at, last_sign_in_at: at })
    .onConflictDoUpdate({
      target: [known_devices.user_id, known_devices.device_hash],
      set: { last_sign_in_at: at },
    });
  await forgetOldDevices(services, user_id);
}

async function forgetOldDevices(
  { db, now }: Pick<DeviceServices, 'db' | 'now'>,
  user_id: string,
): Promise<void> {
  const filter = eq(known_devices.user_id, user_id);
  const tooMany = db
    .select({ device_hash: known_devices.device_hash })
    .from(known_devices)
    .where(filter)
    .orderBy(desc(known_devices.last_sign_in_at))
    .offset(MAX_DEVICES);
  await db.delete(known_devices).where(and(filter, inArray(known_devices.device_hash, tooMany)));
  await db.delete(known_devices).where(and(filter, lte(known_devices.last_sign_in_at, knownSince(now()))));
}
