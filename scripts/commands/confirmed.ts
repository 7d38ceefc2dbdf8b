import { createInterface } from 'node:readline/promises';

/** Asks the operator to type a word. False, with the command that does not ask, if nobody can be asked or it differs. */
export async function confirmed(word: string, advice: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error(`\nNothing was changed. To run it without being asked: ${advice}`);
    return false;
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await prompt.question(`\nOnly a backup can undo this. Type "${word}" to do it: `);
  prompt.close();
  if (answer.trim() === word) return true;
  console.error('Nothing was changed.');
  return false;
}
