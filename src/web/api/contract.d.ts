declare module 'virtual:contract' {
  import type { Contract } from '../../contract/index.ts';

  /** Methods and paths alone; the schemas stay on the server. Made by the build from src/contract. */
  const contract: Contract;
  export default contract;
}
