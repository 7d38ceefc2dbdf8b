export * from './schema/billing.ts';
export * from './schema/identity.ts';
export * from './schema/mail.ts';
export * from './schema/membership.ts';
export * from './schema/search.ts';
export * from './schema/summary.ts';
