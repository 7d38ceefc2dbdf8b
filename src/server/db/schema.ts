export * from './schema/allowance-tables.ts';
export * from './schema/auth-tables.ts';
export * from './schema/billing-tables.ts';
export * from './schema/function-tables.ts';
export * from './schema/membership-tables.ts';
export * from './schema/outbox-tables.ts';
export * from './schema/search-tables.ts';
export * from './schema/summary-tables.ts';
