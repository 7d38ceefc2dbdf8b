const leastCharacters = 8;

interface PasswordProblem {
  text: string;
  /** The field to go back to. */
  field: 'password' | 'confirm_password';
}

/** What is wrong with a chosen password, in the order and words of spec section 5. */
export function passwordError(password: string, confirmation: string): PasswordProblem | null {
  if (password !== confirmation) return { text: 'Passwords do not match', field: 'confirm_password' };
  if (password.length < leastCharacters) {
    return { text: `Password must be at least ${leastCharacters} characters`, field: 'password' };
  }
  return null;
}
