import { minifyContractRouter } from '@orpc/contract';
import { contract } from '../../../src/contract/index.ts';

/** Replaces `virtual:contract`, which only the build creates. */
export default minifyContractRouter(contract);
