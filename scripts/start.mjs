// `npm start`: prepares the working copy, then is the service.
import { run } from './run.mjs';

await run('main.js', 0);
