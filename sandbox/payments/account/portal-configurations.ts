import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { PortalConfiguration } from '../http/wire.ts';
import { page } from '../http/wire.ts';
import { changed, emit, finder, newId, timeOf, type World } from '../store/world.ts';

const feature = p.record({ enabled: p.needed(p.flag) });
const features = p.record({
  customer_update: feature,
  invoice_history: feature,
  payment_method_update: feature,
  subscription_cancel: feature,
  subscription_update: feature,
});
type Features = p.ValueOf<typeof features>;

const configurationFields = {
  default_return_url: p.clearable(p.url),
  features,
  login_page: feature,
  metadata: p.metadata,
  name: p.clearable(p.text),
};
type Fields = p.Params<typeof configurationFields>;

function newConfiguration(world: World, isDefault: boolean): PortalConfiguration {
  const configuration: PortalConfiguration = {
    ...blank('billing_portal.configuration'),
    metadata: {},
    id: newId('bpc'),
    active: true,
    created: timeOf(world),
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      // Features not requested are off; the default configuration, saved in the dashboard, has these.
      invoice_history: { enabled: isDefault },
      payment_method_update: { enabled: isDefault, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: isDefault,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: false,
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: isDefault,
    login_page: { enabled: false, url: null },
    updated: timeOf(world),
  };
  world.state.portal_configurations[configuration.id] = configuration;
  return configuration;
}

function apply(world: World, configuration: PortalConfiguration, fields: Fields): void {
  const { features: changes, login_page, ...plain } = fields;
  p.applyFields(configuration, plain);
  if (login_page) {
    const url = login_page.enabled ? `${world.publicUrl}/p/login/${configuration.id}` : null;
    configuration.login_page = { enabled: login_page.enabled, url };
  }
  for (const [name, change] of Object.entries(changes ?? {}))
    Object.assign(configuration.features[name as keyof Features], change);
  configuration.updated = timeOf(world);
}

/** The configuration of sessions that name none; created when first needed. */
export function defaultConfiguration(world: World): PortalConfiguration {
  const configuration = Object.values(world.state.portal_configurations).find((entry) => entry.is_default);
  return configuration ?? newConfiguration(world, true);
}

export const findConfiguration = finder('configuration', (state) => state.portal_configurations);

export const portalConfigurationRoutes: Route[] = [
  route(
    'POST',
    '/v1/billing_portal/configurations',
    { ...configurationFields, features: p.needed(features) },
    ({ world, params }) => {
      const configuration = newConfiguration(world, false);
      apply(world, configuration, params);
      emit(world, 'billing_portal.configuration.created', configuration);
      return configuration;
    },
  ),
  route(
    'POST',
    '/v1/billing_portal/configurations/:id',
    { ...configurationFields, active: p.flag },
    ({ world, id, params }) => {
      const configuration = findConfiguration(world, id);
      if (params.active === false && configuration.is_default)
        throw invalid('You cannot deactivate the default configuration.', 'active');
      changed(world, 'billing_portal.configuration.updated', configuration, () =>
        apply(world, configuration, params),
      );
      return configuration;
    },
  ),
  route(
    'GET',
    '/v1/billing_portal/configurations',
    { ...p.paging, active: p.flag, is_default: p.flag },
    ({ world, params }) => {
      defaultConfiguration(world);
      const fits = Object.values(world.state.portal_configurations).filter(
        (entry) =>
          (params.active === undefined || entry.active === params.active) &&
          (params.is_default === undefined || entry.is_default === params.is_default),
      );
      return page(fits, params, '/v1/billing_portal/configurations');
    },
  ),
  route('GET', '/v1/billing_portal/configurations/:id', {}, ({ world, id }) => findConfiguration(world, id)),
];
