import { createContext } from 'react';

/** Takes the error of a failed call. On signed-in pages it goes to the sign-in page if nobody is signed in any more. */
export const SessionRefusal = createContext<(error: unknown) => void>(() => undefined);
