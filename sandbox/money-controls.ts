import { Hono } from 'hono';
import { type Body, read } from './control-body.ts';
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
    const wanted = status(body.status);
    if (!wanted) throw invalid('status is missing', 'status');
    return moveDispute(world, text(body.dispute), wanted);
  });
  control('disputes/close', ({ dispute, won }) =>
    moveDispute(world, text(dispute), won === true ? 'won' : 'lost'),
  );
  control('refunds/settle', ({ refund }) => settleRefund(world, text(refund)));
  control('refunds/fail', ({ refund, reason }) => failRefund(world, text(refund), text(reason)));
  control('charges/settle', () => settleCharge(world));
  control('charges/fail', () => failCharge(world));
  return app;
}
