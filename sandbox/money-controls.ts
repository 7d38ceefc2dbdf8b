import { Hono } from 'hono';
import { read } from './control-body.ts';
import { invalid } from './payments/http/errors.ts';
import type { Payments } from './payments/http/server.ts';
import { failCharge, settleCharge } from './payments/resources/charging.ts';
import {
  DISPUTE_STATUSES,
  type DisputeStatus,
  moveDispute,
  openDispute,
} from './payments/resources/disputes.ts';
import { failRefund, settleRefund } from './payments/resources/refunds.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

function status(value: unknown): DisputeStatus | undefined {
  if (value === undefined) return undefined;
  const known = DISPUTE_STATUSES.find((name) => name === value);
  if (!known) throw invalid(`status must be one of ${DISPUTE_STATUSES.join(', ')}`, 'status');
  return known;
}

/** Controls for what banks do: disputes, refunds, and charges that take days. */
export function moneyControls({ world, save }: Payments): Hono {
  const app = new Hono();

  app.post('/_sandbox/disputes', async (c) => {
    const body = await read(c.req.raw);
    const dispute = openDispute(world, {
      charge: text(body.charge),
      payment_intent: text(body.payment_intent),
      customer: text(body.customer),
      reason: text(body.reason),
      status: status(body.status),
    });
    save();
    return c.json(dispute);
  });

  app.post('/_sandbox/disputes/move', async (c) => {
    const body = await read(c.req.raw);
    const wanted = status(body.status);
    if (!wanted) throw invalid('status is missing', 'status');
    const moved = moveDispute(world, text(body.dispute), wanted);
    save();
    return c.json(moved);
  });

  app.post('/_sandbox/disputes/close', async (c) => {
    const { dispute, won } = await read(c.req.raw);
    const closed = moveDispute(world, text(dispute), won === true ? 'won' : 'lost');
    save();
    return c.json(closed);
  });

  app.post('/_sandbox/refunds/settle', async (c) => {
    const { refund } = await read(c.req.raw);
    const settled = settleRefund(world, text(refund));
    save();
    return c.json(settled);
  });

  app.post('/_sandbox/refunds/fail', async (c) => {
    const { refund, reason } = await read(c.req.raw);
    const failed = failRefund(world, text(refund), text(reason));
    save();
    return c.json(failed);
  });

  app.post('/_sandbox/charges/settle', async (c) => {
    const invoice = settleCharge(world);
    save();
    return c.json(invoice);
  });

  app.post('/_sandbox/charges/fail', async (c) => {
    const invoice = failCharge(world);
    save();
    return c.json(invoice);
  });

  return app;
}
