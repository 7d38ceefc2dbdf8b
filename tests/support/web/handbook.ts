/** Replaces `virtual:handbook`, which only the build makes. Pictures keep the addresses that they have in Markdown. */
import { readHandbook } from '../../../scripts/web-build/handbook.ts';

export default await readHandbook();
