interface NewPassword {
  password: string;
  confirm_password: string;
}

/**
 * The problem with a new password, as an alert of the whole form: docs/rules/pages.md, "Forms". The length and its message
 * come from the contract.
 */
export function newPasswordAlert(values: NewPassword, errors: { password?: string }) {
  if (values.password !== values.confirm_password) {
    return { field: 'confirm_password', text: 'Passwords do not match' } as const;
  }
  return errors.password ? ({ field: 'password', text: errors.password } as const) : null;
}
