import { minifyContractRouter } from '@orpc/contract';
import { contract } from '../../../src/contract/index.ts';

/** Replaces `virtual:auth-contract`, which only the build creates. */
export default minifyContractRouter(contract.auth);
