import { minifyContractRouter } from '@orpc/contract';
import { contract } from '../../../src/contract/index.ts';

/** Stands for `virtual:contract`, which only the build makes. */
export default minifyContractRouter(contract);
