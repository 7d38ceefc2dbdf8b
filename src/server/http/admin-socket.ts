import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import { z } from 'zod';
import { timestamp } from '../../contract/base.ts';
import { email } from '../../contract/forms/credentials.ts';
import { Refusal, type RefusalCode } from '../../contract/refusals.ts';
import { text } from '../../contract/text.ts';
import { signOutEverywhere } from '../auth/revoke-access.ts';
import { giveAllPermissions, inviteStaff, removeStaff } from '../auth/staff-accounts.ts';
import { resetTwoFactor } from '../auth/two-factor/two-factor-reset.ts';
import { listUnknownSubscriptions } from '../billing/customers/unknown-subscriptions.ts';
import { checkStripe, setUpStripe } from '../billing/setup/set-up-stripe.ts';
import { smokeStripe } from '../billing/smoke/smoke.ts';
import { replayEvents } from '../billing/upkeep/replay-events.ts';
import type { Services } from '../context.ts';
import { runTierCommand, tierCommand } from './tier-commands.ts';

const staffRequest = z.strictObject({ email });

const replayRequest = z.strictObject({ since: timestamp.nullable() });

const backupRequest = z.strictObject({ folder: text(1000).refine(isAbsolute).nullable() });

const NOTHING_TO_SET_UP =
  'This is the demo: its payment service is a stand-in that needs no setting up. Set STRIPE_SECRET_KEY for a real one.';

const PAYMENTS_OFF = 'Payments are off. Set STRIPE_SECRET_KEY, restart the server, and run this again.';

/** A refusal as an answer; other errors are rethrown. */
export function refusalCode(error: unknown): { refused: RefusalCode } {
  if (error instanceof Refusal) return { refused: error.code };
  throw error;
}

/** The path of the socket, short because socket paths are limited to about 100 bytes. */
export function adminSocketPath(folder: string): string {
  const absolute = resolve(folder, 'admin.sock');
  const shortPath = relative(process.cwd(), absolute);
  return shortPath.length < absolute.length ? join('.', shortPath) : absolute;
}

/**
 * A control socket in the data folder, open only to the folder's owner. Needed because a second process must not touch the
 * embedded database while the server runs.
 */
export async function openAdminSocket(
  folder: string,
  services: Services,
  { demo = false } = {},
): Promise<{ close(): Promise<void> }> {
  const app = new Hono();
  app.post('/staff', async (c) => {
    const result = staffRequest.safeParse(await c.req.json().catch(() => null));
    if (!result.success) return c.json({ message: 'A valid email is needed.' }, 400);
    return c.json(await inviteStaff(services, result.data.email));
  });
  app.put('/staff/:email/permissions', async (c) =>
    c.json({ allowed: await giveAllPermissions(services, c.req.param('email')) }),
  );
  app.delete('/staff/:email', async (c) => {
    const result = await removeStaff(services, c.req.param('email')).catch(refusalCode);
    return c.json(typeof result === 'boolean' ? { removed: result } : result);
  });
  app.delete('/second-factor/:email', async (c) =>
    c.json({ removed: await resetTwoFactor(services, c.req.param('email')) }),
  );
  app.delete('/sessions/:email', async (c) =>
    c.json({ ended: await signOutEverywhere(services, c.req.param('email')) }),
  );

  if (demo) app.post('/stripe/:command{setup|check|smoke}', (c) => c.text(NOTHING_TO_SET_UP, 409));
  if (services.billing.payments === 'off')
    app.post('/stripe/:command{setup|check|smoke|replay|unknown}', (c) => c.text(PAYMENTS_OFF, 409));
  app.post('/stripe/setup', async (c) => c.json(await setUpStripe(services.billing)));
  app.post('/stripe/check', async (c) => c.json(await checkStripe(services.billing)));
  app.post('/stripe/smoke', async (c) => c.json(await smokeStripe(services.billing)));
  app.post('/stripe/unknown', async (c) => c.json(await listUnknownSubscriptions(services.billing)));
  app.post('/tiers', async (c) => {
    const result = tierCommand.safeParse(await c.req.json().catch(() => null));
    if (!result.success) return c.text('That is neither a tier nor an email.', 400);
    return c.json(await runTierCommand(services, result.data).catch(refusalCode));
  });

  app.post('/backup', async (c) => {
    const result = backupRequest.safeParse(await c.req.json().catch(() => null));
    if (!result.success) return c.json({ message: 'folder must be an absolute path, or null.' }, 400);
    return c.json(await services.backups.make(result.data.folder ?? undefined));
  });

  // The answer has a line of JSON for each step.
  app.post('/stripe/replay', async (c) => {
    const result = replayRequest.safeParse(await c.req.json().catch(() => null));
    if (!result.success) return c.json({ message: 'since must be an ISO 8601 date and time, or null.' }, 400);
    const { since } = result.data;
    return stream(c, async (out) => {
      for await (const step of replayEvents(services.billing, since ? new Date(since) : null)) {
        await out.writeln(JSON.stringify(step));
      }
    });
  });

  app.onError((error, c) => {
    services.log.error({ err: error }, 'a command failed');
    return c.text(error.message, 500);
  });

  const socket = adminSocketPath(folder);
  rmSync(socket, { force: true });
  const server: Server = createServer(getRequestListener(app.fetch));
  await once(server.listen(socket), 'listening');
  chmodSync(socket, 0o600);
  return {
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
