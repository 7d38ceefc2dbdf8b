import { openEmbedded } from '../src/server/db/client.ts';

/** Makes an empty database with all tables in the folder given, as ServerOptions.emptyDatabase wants it. */
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node scripts/empty-database.ts FOLDER');
await (await openEmbedded(folder)).close();
