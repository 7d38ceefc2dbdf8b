/** Replaces `virtual:form-rules`, which only the build makes. */
export { forms as default } from '../../../src/contract/forms/forms.ts';
