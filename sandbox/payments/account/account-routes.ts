import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { Account, PaymentMethodConfiguration, TaxSettings } from '../http/wire.ts';
import { page } from '../http/wire.ts';
import type { World } from '../store/world.ts';

/** The Stripe account, as far as the sandbox's settings describe it. */
function accountOf({ state: { settings } }: World): Account {
  return {
    id: 'acct_cellar_door_sandbox',
    object: 'account',
    charges_enabled: settings.charges_enabled,
    country: 'US',
    default_currency: 'usd',
    details_submitted: settings.charges_enabled,
    email: 'owner@example.test',
    payouts_enabled: settings.charges_enabled,
    settings: {
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_payments: {
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: settings.account_name, timezone: 'Etc/UTC' },
      payments: {
        statement_descriptor: settings.statement_descriptor,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
    },
    type: 'standard',
  };
}

function taxSettingsOf({ state: { settings } }: World): TaxSettings {
  const isActive = settings.tax_status === 'active';
  const address = { city: null, country: 'US', line1: null, line2: null, postal_code: '94107', state: 'CA' };
  return {
    object: 'tax.settings',
    defaults: { provider: 'stripe', tax_behavior: null, tax_code: null },
    head_office: isActive ? { address } : null,
    livemode: false,
    status: settings.tax_status,
    status_details: isActive ? { active: {} } : { pending: { missing_fields: ['head_office'] } },
  };
}

/** The payment methods that checkout offers. Disabled ones are left out. */
function paymentMethodConfiguration({ state: { settings } }: World): PaymentMethodConfiguration {
  const availability = {
    available: true,
    display_preference: { overridable: null, preference: 'on' as const, value: 'on' as const },
  };
  const offers = (name: string) => (settings.payment_methods.includes(name) ? availability : undefined);
  const methods = {
    apple_pay: offers('apple_pay'),
    card: offers('card'),
    google_pay: offers('google_pay'),
    link: offers('link'),
    us_bank_account: offers('us_bank_account'),
  };
  return {
    id: 'pmc_cellar_door_sandbox',
    object: 'payment_method_configuration',
    active: true,
    application: null,
    is_default: true,
    livemode: false,
    name: 'Default',
    parent: null,
    ...methods,
  };
}

export const accountRoutes: Route[] = [
  route('GET', '/v1/account', {}, ({ world }) => accountOf(world)),
  route('GET', '/v1/tax/settings', {}, ({ world }) => taxSettingsOf(world)),
  route(
    'GET',
    '/v1/payment_method_configurations',
    { ...p.paging, application: p.text, active: p.flag },
    ({ world, params }) =>
      page([paymentMethodConfiguration(world)], params, '/v1/payment_method_configurations'),
  ),
];
