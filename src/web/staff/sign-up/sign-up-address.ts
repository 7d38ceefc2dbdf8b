import { isUuid } from '../../../domain/uuid.ts';

export interface SignUpAddress {
  /** A user id, for a person with an account. */
  person?: string;
  /** The id of the application being paid on a phone. */
  application?: string;
  /** The membership is to be on the house. */
  house?: true;
}

export function readSignUpAddress({ person, application, house }: Record<string, unknown>): SignUpAddress {
  const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
  return {
    ...(isId(person) && { person }),
    ...(isId(application) && { application }),
    ...(house === true && { house }),
  };
}
