interface NewPassword {
  password: string;
  confirm_password: string;
}

/**
 * What is wrong with a new password, as an alert of the whole form: docs/rules/pages.md, "Forms". The length and its
 * message are the contract's.
 */
export function newPasswordAlert(values: NewPassword, errors: { password?: string }) {
  if (values.password !== values.confirm_password) {
    return { field: 'confirm_password', text: 'Passwords do not match' } as const;
  }
  return errors.password ? ({ field: 'password', text: errors.password } as const) : null;
}
