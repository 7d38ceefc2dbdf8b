declare module 'virtual:contract' {
  /** Methods and paths only; the schemas stay on the server. Made by the build from src/contract. */
  const contract: typeof import('../../contract/index.ts').contract;
  export default contract;
}

declare module 'virtual:auth-routes' {
  const routes: ReturnType<typeof import('../../contract/auth/auth-routes.ts').authRoutes>;
  export default routes;
}
