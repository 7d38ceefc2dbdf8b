/** What the page's URL contains, so that it can be reloaded. */
export interface SignUpAddress {
  /** The user id of someone who has an account. */
  person?: string;
  /** The id of the application whose payment on a phone is under way. */
  application?: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `validateSearch` of the page: anything but an id is left out. */
export function readSignUpAddress({ person, application }: Record<string, unknown>): SignUpAddress {
  const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
  return { ...(isId(person) && { person }), ...(isId(application) && { application }) };
}
