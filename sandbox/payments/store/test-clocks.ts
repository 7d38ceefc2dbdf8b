import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { TestClock } from '../http/wire.ts';
import { catchUp } from '../subscriptions/lifecycle.ts';
import { boundary } from '../subscriptions/periods.ts';
import { emit, finder, newId, timeOf } from './world.ts';

const KEPT_DAYS = 30;

const findClock = finder('test clock', (state) => state.test_clocks);

export const testClockRoutes: Route[] = [
  route(
    'POST',
    '/v1/test_helpers/test_clocks',
    { frozen_time: p.needed(p.integer), name: p.text },
    ({ world, params }) => {
      const clock: TestClock = {
        ...blank('test_helpers.test_clock'),
        id: newId('clock'),
        created: timeOf(world),
        deletes_after: timeOf(world) + KEPT_DAYS * 86_400,
        frozen_time: params.frozen_time,
        name: params.name ?? null,
        status: 'ready',
      };
      world.state.test_clocks[clock.id] = clock;
      emit(world, 'test_helpers.test_clock.created', clock);
      return clock;
    },
  ),
  list('/v1/test_helpers/test_clocks', (state) => state.test_clocks, {}),
  route('GET', '/v1/test_helpers/test_clocks/:id', {}, ({ world, id }) => findClock(world, id)),
  // Stripe advances in the background and returns "advancing"; here all is done before the response.
  route(
    'POST',
    '/v1/test_helpers/test_clocks/:id/advance',
    { frozen_time: p.needed(p.integer) },
    ({ world, id, params }) => {
      const clock = findClock(world, id);
      if (params.frozen_time <= clock.frozen_time)
        throw invalid("The frozen time must be after the clock's current frozen time.", 'frozen_time');
      if (params.frozen_time > boundary(clock.frozen_time, { interval: 'year', interval_count: 1 }, 2))
        throw invalid('A test clock advances at most two years at once.', 'frozen_time');
      clock.frozen_time = params.frozen_time;
      catchUp(world, clock.id);
      emit(world, 'test_helpers.test_clock.ready', clock);
      return clock;
    },
  ),
  route('DELETE', '/v1/test_helpers/test_clocks/:id', {}, ({ world, id }) => {
    findClock(world, id);
    const s = world.state;
    for (const customer of Object.values(s.customers)) {
      if (customer.test_clock !== id) continue;
      delete s.customers[customer.id];
      s.deleted_customers[customer.id] = { id: customer.id, object: 'customer', deleted: true };
      for (const subscription of Object.values(s.subscriptions))
        if (subscription.customer === customer.id) delete s.subscriptions[subscription.id];
    }
    delete s.test_clocks[id];
    return { id, object: 'test_helpers.test_clock', deleted: true };
  }),
];
