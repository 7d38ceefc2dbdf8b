/** Reasons that members can give when they cancel. */
export const LEAVING_REASONS = ['price', 'seldom_here', 'moving', 'wines', 'service', 'other'] as const;
export type LeavingReason = (typeof LEAVING_REASONS)[number];

/** The wording of reasons for members and reports. */
export const LEAVING_REASON_LABELS: Record<LeavingReason, string> = {
  price: 'It costs too much',
  seldom_here: 'I don’t come often enough',
  moving: 'I’m moving away',
  wines: 'The wines aren’t to my taste',
  service: 'I wasn’t happy with the service',
  other: 'Something else',
};

/** Short wording of reasons for staff. */
export const LEAVING_REASON_BRIEF: Record<LeavingReason, string> = {
  price: 'Too expensive',
  seldom_here: 'Doesn’t come often enough',
  moving: 'Moving away',
  wines: 'Wines not to their taste',
  service: 'Not happy with the service',
  other: 'Something else',
};
