import { countedWords } from './server-counted.ts';
import { failuresWords } from './server-failures.ts';
import { refusalsWords } from './server-refusals.ts';
import { restoreWords } from './server-restore.ts';
import { workWords } from './server-work.ts';

/** Everything the server says that has a code, to be told in another language than English. */
export const serverWords = { ...failuresWords, ...refusalsWords, ...workWords, ...restoreWords, ...countedWords };
