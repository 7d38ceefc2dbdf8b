export * from './schema/billing.ts';
export * from './schema/identity.ts';
export * from './schema/membership.ts';
