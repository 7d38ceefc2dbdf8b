import { isUuid } from '../../../domain/card.ts';

/** The parameters in the page's URL, so that it can be reloaded. */
export interface SignUpAddress {
  /** A user id, for a person with an account. */
  person?: string;
  /** The id of the application being paid on a phone. */
  application?: string;
}

/** `validateSearch` of the page: only ids are accepted. */
export function readSignUpAddress({ person, application }: Record<string, unknown>): SignUpAddress {
  const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
  return { ...(isId(person) && { person }), ...(isId(application) && { application }) };
}
