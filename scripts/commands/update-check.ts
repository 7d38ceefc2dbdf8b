import { readEnv } from '../../src/server/config/env.ts';
import { ownVersion } from '../../src/server/config/version.ts';
import { findNewerRelease } from '../../src/server/monitoring/update-check.ts';
import { type Command, WrongArguments } from './command.ts';

export const command: Command = {
  usage: [['', 'asks UPDATE_URL for the version of the newest release, and sends nothing']],
  async run(words) {
    if (words.length > 0) throw new WrongArguments();
    const { UPDATE_URL } = readEnv(process.env);
    if (!UPDATE_URL) {
      console.error('UPDATE_URL is not set: nobody is asked for newer releases (.env.example).');
      return 1;
    }
    const version = await findNewerRelease(UPDATE_URL, ownVersion());
    console.log(
      version
        ? `Version ${version} is there; this is ${ownVersion()}. docs/run/upgrade.md says how to update.`
        : `${ownVersion()} is the newest version.`,
    );
    return 0;
  },
};
