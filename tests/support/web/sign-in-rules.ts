import { forms } from '../../../src/contract/forms/forms.ts';

/** Replaces `virtual:sign-in-rules`, which only the build makes. */
export default forms.signIn;
