// `npm run build`: prepares the working copy, and starts nothing.
import { orExplain, prepare } from './prepare.mjs';

await orExplain(prepare, 130);
