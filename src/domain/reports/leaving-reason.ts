/** Reasons that members can give when they cancel. */
export const LEAVING_REASONS = ['price', 'seldom_here', 'moving', 'wines', 'service', 'other'] as const;
export type LeavingReason = (typeof LEAVING_REASONS)[number];

/** The wording of reasons for members and reports. */
export const LEAVING_REASON_LABELS: Record<LeavingReason, string> = {
  price: 'It costs too much',
  seldom_here: 'I do not come often enough',
  moving: 'I am moving away',
  wines: 'The wines are not to my taste',
  service: 'I was not happy with the service',
  other: 'Something else',
};

/** Short wording of reasons for staff. */
export const LEAVING_REASON_BRIEF: Record<LeavingReason, string> = {
  price: 'Too expensive',
  seldom_here: 'Comes too seldom',
  moving: 'Moving away',
  wines: 'Wines not to their taste',
  service: 'Not happy with the service',
  other: 'Something else',
};
