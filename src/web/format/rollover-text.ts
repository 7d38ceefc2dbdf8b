/** A tier's rollover: 'Up to 3 unused pours can be used next month'; null without rollover. */
export const rolloverPromise = (glasses: number): string | null =>
  glasses > 0 ? `Up to ${glasses} unused ${glasses === 1 ? 'pour' : 'pours'} can be used next month` : null;

/** The note beside the price. */
export const rolloverNote = (glasses: number): string =>
  glasses > 0 ? `, up to ${glasses} ${glasses === 1 ? 'rolls' : 'roll'} over` : '';
