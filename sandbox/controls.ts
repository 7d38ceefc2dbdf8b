import { Hono } from 'hono';
import { type Body, read } from './control-body.ts';
import type { Emails } from './mailbox/emails.ts';
import type { ModelControl } from './model/model-routes.ts';
import { failPayout } from './payments/balance/payouts.ts';
import { bookFee } from './payments/balance/transactions.ts';
import { invalid, StripeFault } from './payments/http/errors.ts';
import type { Payments } from './payments/http/server.ts';
import { failCharge, settleCharge } from './payments/resources/charging.ts';
import { failPage, settlePage } from './payments/resources/checkout-payment.ts';
import {
  DISPUTE_STATUSES,
  type DisputeStatus,
  moveDispute,
  openDispute,
} from './payments/resources/disputes.ts';
import { failRefund, settleRefund } from './payments/resources/refunds.ts';
import { advance } from './payments/store/clock.ts';
import type { Settings } from './payments/store/state.ts';
import { timeOf } from './payments/store/world.ts';

/** The sandbox's controls under /_sandbox, in JSON: for tests, and by hand. */
export function controls(parts: { payments: Payments; emails: Emails; model: ModelControl }): Hono {
  const { payments, emails, model } = parts;
  const { world, webhooks, faults } = payments;
  const app = new Hono();

  app.onError((failure, c) => c.json({ error: failure.message }, failure instanceof StripeFault ? 400 : 500));

  app.get('/_sandbox/state', (c) => {
    const { events, idempotent_responses: _responses, ...rest } = world.state;
    return c.json({
      now: timeOf(world),
      now_iso: new Date(timeOf(world) * 1000).toISOString(),
      webhook: webhooks.endpoint()?.url ?? null,
      webhook_mode: webhooks.mode(),
      faults: faults.list(),
      model: model.mode(),
      emails: emails.list().length,
      ...rest,
      events: Object.values(events).map(({ id, type, created }) => ({ id, type, created })),
    });
  });

  app.get('/_sandbox/clock', (c) => c.json(clockNow()));
  app.post('/_sandbox/clock', async (c) => {
    const body = await read(c.req.raw);
    advance(world, body.advance ?? body.to);
    payments.save();
    return c.json(clockNow());
  });

  app.get('/_sandbox/settings', (c) => c.json(world.state.settings));
  app.post('/_sandbox/settings', async (c) => {
    const settings = readSettings(await read(c.req.raw));
    if (typeof settings === 'string') return c.json({ error: settings }, 400);
    Object.assign(world.state.settings, settings);
    payments.save();
    return c.json(world.state.settings);
  });

  app.get('/_sandbox/webhooks', (c) =>
    c.json({
      endpoint: webhooks.endpoint()?.url ?? null,
      ...webhooks.mode(),
      deliveries: world.state.deliveries.map((delivery) => ({
        ...delivery,
        type: world.state.events[delivery.event]?.type ?? null,
      })),
    }),
  );
  app.post('/_sandbox/webhooks', async (c) => {
    const { mode, concurrency, url, secret } = await read(c.req.raw);
    const modes = ['normal', 'drop', 'duplicate', 'hold'] as const;
    const choice = modes.find((name) => name === mode);
    if (mode !== undefined && !choice)
      return c.json({ error: `mode must be one of ${modes.join(', ')}` }, 400);
    if (typeof url === 'string' && typeof secret === 'string') webhooks.setEndpoint({ url, secret });
    webhooks.setMode({
      ...(choice ? { mode: choice } : {}),
      ...(typeof concurrency === 'number' ? { concurrency: Math.max(1, concurrency) } : {}),
    });
    return c.json({ endpoint: webhooks.endpoint()?.url ?? null, ...webhooks.mode() });
  });
  app.post('/_sandbox/webhooks/release', async (c) => {
    const { event, reverse } = await read(c.req.raw);
    const count = webhooks.release({
      event: typeof event === 'string' ? event : undefined,
      reverse: reverse === true,
    });
    return c.json({ released: count });
  });
  app.post('/_sandbox/webhooks/replay', async (c) => {
    const { event } = await read(c.req.raw);
    if (typeof event !== 'string' || !webhooks.replay(event)) return c.json({ error: 'No such event' }, 404);
    return c.json({ replayed: event });
  });
  app.post('/_sandbox/webhooks/idle', async (c) => {
    await webhooks.idle();
    return c.json({ idle: true });
  });

  app.post('/_sandbox/fail-next', async (c) => {
    const { status, path, method, times, kind, ms, when } = await read(c.req.raw);
    const fault = faults.add({
      ...(typeof status === 'number' ? { status } : {}),
      ...(typeof path === 'string' ? { path } : {}),
      ...(typeof method === 'string' ? { method } : {}),
      ...(typeof times === 'number' ? { times } : {}),
      ...(kind === 'drop' || kind === 'timeout' || kind === 'slow' || kind === 'status' ? { kind } : {}),
      ...(typeof ms === 'number' ? { ms } : {}),
      ...(when === 'after' ? { when } : {}),
    });
    return c.json(fault);
  });
  app.delete('/_sandbox/fail-next', (c) => {
    faults.clear();
    return c.json({ faults: [] });
  });

  app.route('/', moneyControls(payments));

  app.get('/_sandbox/model', (c) => c.json({ mode: model.mode() }));
  app.post('/_sandbox/model', async (c) => {
    const { mode } = await read(c.req.raw);
    if (!model.setMode(mode)) return c.json({ error: 'mode must be normal, fail, empty, slow or long' }, 400);
    return c.json({ mode: model.mode() });
  });

  app.post('/_sandbox/reset', (c) => {
    payments.reset();
    emails.remove();
    model.setMode('normal');
    return c.json({ reset: true });
  });
  app.all('/_sandbox/*', (c) => c.json({ error: 'No such control' }, 404));

  const clockNow = () => ({
    now: timeOf(world),
    now_iso: new Date(timeOf(world) * 1000).toISOString(),
    offset_seconds: Math.round(world.state.clock_offset / 1000),
  });
  return app;
}

function readSettings(body: Body): Partial<Settings> | string {
  const checks: Record<keyof Settings, (value: unknown) => boolean> = {
    dunning_days: (value) =>
      Array.isArray(value) && value.every((days) => typeof days === 'number' && days > 0),
    dunning_end: (value) => ['canceled', 'unpaid', 'past_due', 'paused'].includes(String(value)),
    tax_percent: (value) => typeof value === 'number' && value >= 0 && value <= 100,
    draft_seconds: (value) => typeof value === 'number' && value >= 0,
    finalization: (value) => value === 'succeeds' || value === 'fails',
    account_name: (value) => typeof value === 'string' && value !== '',
    statement_descriptor: (value) => value === null || (typeof value === 'string' && value !== ''),
    charges_enabled: (value) => typeof value === 'boolean',
    refunds: (value) => value === 'succeeded' || value === 'pending',
    charges: (value) => value === 'succeeded' || value === 'pending',
    tax_status: (value) => value === 'active' || value === 'pending',
    payout_interval: (value) => value === 'daily' || value === 'manual',
    payouts: (value) => value === 'when_read' || value === 'on_time',
    payment_methods: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  };
  for (const [name, value] of Object.entries(body)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof Settings] : undefined;
    if (!check) return `Unknown setting ${name}; the settings are ${Object.keys(checks).join(', ')}`;
    if (!check(value)) return `${name} is not valid`;
  }
  return body as Partial<Settings>;
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

function status(value: unknown): DisputeStatus | undefined {
  if (value === undefined) return undefined;
  const status = DISPUTE_STATUSES.find((name) => name === value);
  if (!status) throw invalid(`status must be one of ${DISPUTE_STATUSES.join(', ')}`, 'status');
  return status;
}

function moneyControls({ world, save }: Payments): Hono {
  const app = new Hono();
  const control = (path: string, run: (body: Body) => object) =>
    app.post(`/_sandbox/${path}`, async (c) => {
      const result = run(await read(c.req.raw));
      save();
      return c.json(result);
    });

  control('disputes', (body) =>
    openDispute(world, {
      charge: text(body.charge),
      payment_intent: text(body.payment_intent),
      customer: text(body.customer),
      reason: text(body.reason),
      status: status(body.status),
    }),
  );
  control('disputes/move', (body) => {
    const target = status(body.status);
    if (!target) throw invalid('status is missing', 'status');
    return moveDispute(world, text(body.dispute), target);
  });
  control('disputes/close', ({ dispute, won }) =>
    moveDispute(world, text(dispute), won === true ? 'won' : 'lost'),
  );
  control('refunds/settle', ({ refund }) => settleRefund(world, text(refund)));
  control('refunds/fail', ({ refund, reason }) => failRefund(world, text(refund), text(reason)));
  control('payouts/fail', ({ payout }) => failPayout(world, text(payout)));
  control('fees', ({ amount, currency, description }) => {
    if (typeof amount !== 'number') throw invalid('amount is missing', 'amount');
    return bookFee(world, amount, text(currency) ?? 'usd', text(description) ?? 'Billing - Usage Fee');
  });
  control('charges/settle', () => settlePage(world) ?? settleCharge(world));
  control('charges/fail', () => failPage(world) ?? failCharge(world));
  return app;
}
