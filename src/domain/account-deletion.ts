/** The text that users type to confirm the deletion of their account. */
export const DELETE_CONFIRMATION = 'DELETE';
