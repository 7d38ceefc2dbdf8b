import { authRoutes } from '../../../src/contract/auth/auth-routes.ts';

/** Replaces `virtual:auth-routes`, which only the build makes. */
export default authRoutes();
