import type { Context, Env, Hono } from 'hono';
import { z } from 'zod';
import { Refusal } from '../../contract/refusals.ts';
import { text } from '../../contract/text.ts';
import type { FloodLimit } from '../platform/flood-limit.ts';
import { latestPass, listChangedPasses, registerDevice, unregisterDevice } from '../wallet/apple-devices.ts';
import { APPLE_WALLET_PATH, PKPASS_TYPE } from '../wallet/apple-pass.ts';
import type { WalletServices } from '../wallet/wallet-context.ts';

const FROM_ONE_CLIENT = { max: 300, window: 60 };
const LINES = { max: 30, window: 3600 };
const MAX_LINE = 200;

const deviceId = text(100).regex(/^[\w-]{1,100}$/);
const registration = z.object({ pushToken: text(200).regex(/^[0-9A-Za-z]{1,200}$/) });
const logs = z.object({ logs: z.array(text(60_000)).max(100) });
const REGISTRATIONS = `${APPLE_WALLET_PATH}/v1/devices/:device/registrations/:type`;

/**
 * The web service that keeps Apple Wallet passes up to date, with Apple's paths and statuses. Phones call it on their own,
 * without a session: the token in the pass proves that the phone holds it.
 */
export function mountAppleWallet<E extends Env>(
  app: Hono<E>,
  services: WalletServices & { flood: FloodLimit },
  clientIp: (c: Context) => string,
): void {
  const { flood, log, wallets } = services;
  const answer = (handle: (c: Context) => Promise<Response>) => async (c: Context) => {
    flood.take(`wallet|${clientIp(c)}`, FROM_ONE_CLIENT);
    if (!wallets.apple) throw new Refusal('NOT_FOUND', { what: 'wallet' });
    return handle(c);
  };
  const namedPass = (c: Context) => ({
    passTypeId: c.req.param('type') ?? '',
    serial: c.req.param('serial') ?? '',
    token: /^ApplePass +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '',
  });
  const empty = (status: number, headers: Record<string, string> = {}) =>
    new Response(null, { status, headers });
  const deviceOf = (c: Context) => deviceId.safeParse(c.req.param('device')).data;

  app.post(
    `${REGISTRATIONS}/:serial`,
    answer(async (c) => {
      const id = deviceOf(c);
      const body = registration.safeParse(await c.req.json().catch(() => null)).data;
      if (!id || !body) return empty(400);
      const outcome = await registerDevice(services, namedPass(c), { id, pushToken: body.pushToken });
      return empty(outcome === null ? 401 : outcome === 'registered' ? 201 : 200);
    }),
  );
  app.delete(
    `${REGISTRATIONS}/:serial`,
    answer(async (c) => {
      const id = deviceOf(c);
      if (!id) return empty(400);
      return empty((await unregisterDevice(services, namedPass(c), id)) ? 200 : 401);
    }),
  );
  app.get(
    REGISTRATIONS,
    answer(async (c) => {
      const id = deviceOf(c);
      const tag = c.req.query('passesUpdatedSince');
      if (!id || (tag !== undefined && !/^\d{1,15}$/.test(tag))) return empty(400);
      const since = tag === undefined ? null : Number(tag);
      const { passTypeId } = namedPass(c);
      const changes = await listChangedPasses(services, { passTypeId, deviceId: id, since });
      return changes ? c.json(changes) : empty(204);
    }),
  );
  app.get(
    `${APPLE_WALLET_PATH}/v1/passes/:type/:serial`,
    answer(async (c) => {
      const hasSince = new Date(c.req.header('if-modified-since') ?? '');
      const pass = await latestPass(
        services,
        namedPass(c),
        Number.isNaN(hasSince.getTime()) ? null : hasSince,
      );
      if (!pass) return empty(401);
      const headers = { 'Last-Modified': pass.updated_at.toUTCString() };
      if (!pass.file) return empty(304, headers);
      return new Response(new Uint8Array(pass.file), {
        headers: { ...headers, 'Content-Type': PKPASS_TYPE },
      });
    }),
  );
  // Phones' error reports about our answers. Anyone can send them.
  app.post(
    `${APPLE_WALLET_PATH}/v1/log`,
    answer(async (c) => {
      const lines = logs.safeParse(await c.req.json().catch(() => null)).data?.logs ?? [];
      for (const line of lines) {
        if (flood.wait('wallet lines', LINES) > 0) break;
        log.info({ wallet: line.slice(0, MAX_LINE) }, 'a phone reports');
      }
      return empty(200);
    }),
  );
}
