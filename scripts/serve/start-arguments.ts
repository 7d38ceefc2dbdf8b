import type { Kind } from './installation.ts';

/** The start that the program's arguments ask for; null for every other command, and for wrong arguments. */
export function startArguments([name, ...args]: string[]): { kind: Kind; lan: boolean } | null {
  if (!['', '--lan'].includes(args.join(' '))) return null;
  const kind = name === 'start' ? 'club' : name === 'demo' ? 'demo' : null;
  return kind && { kind, lan: args.length > 0 };
}
