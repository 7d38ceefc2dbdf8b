import type { OwnMembership } from './members.ts';
import type { Site } from './site.ts';

export interface FrameInput {
  site: Site;
  /** Null for visitors. */
  user: { email_verified: boolean } | null;
  /** The user's own membership and the time it was read; null on pages that do not show it. */
  own: { membership: OwnMembership; at: Date } | null;
}

/**
 * The HTML that stands in for a page until its scripts run, by the page's pattern; null for a page that starts empty. The
 * web app's build makes this function from its components; the server calls it.
 */
export type RenderFrame = (page: string, input: FrameInput) => string | null;
