import { DataFolderBusyError, lockDataFolder } from '../../src/platform/database/data-folder-lock.js';

// Takes the data folder that it is given, says so, and keeps it until standard input ends or it is killed.
const [folder = '', address = ''] = process.argv.slice(2);
try {
  const lock = await lockDataFolder(folder);
  if (address !== '') await lock.setAddress(address);
  console.log('locked');
  process.stdin.on('end', () => void lock.release()).resume();
} catch (error) {
  if (!(error instanceof DataFolderBusyError)) throw error;
  console.log('busy');
}
