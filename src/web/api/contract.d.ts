declare module 'virtual:contract' {
  /** Methods and paths alone; the schemas stay on the server. Made by the build from src/contract. */
  const contract: typeof import('../../contract/index.ts').contract;
  export default contract;
}

declare module 'virtual:auth-contract' {
  /** The calls of sign-in alone, for the pages before it. */
  const contract: typeof import('../../contract/index.ts').contract.auth;
  export default contract;
}

declare module 'virtual:form-rules' {
  /** What each form checks, as data. Made by the build from src/contract/forms/forms.ts, for ui/use-form.ts. */
  const formRules: typeof import('../../contract/forms/forms.ts').forms;
  export default formRules;
}
