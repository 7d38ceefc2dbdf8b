import { takeJson } from './take-json.ts';

/** Whether nobody had set the club up when this document was made. */
export const awaitsSetup = takeJson<boolean>('awaits-setup') ?? false;
