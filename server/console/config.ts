import { effective } from '../config.ts';
import { ofOriginal } from '../environment-words.ts';
import { byHand } from './by-hand.ts';

// `npm run config`: every variable as it counts now, and who says so. Secrets are not shown.

await byHand(async () => {
  const all = effective(process.env);
  const width = Math.max(...all.map(({ name }) => name.length));
  for (const { name, text, under } of all) {
    const from = under === undefined ? 'initially' : under === name ? 'environment' : under;
    console.log(`${name.padEnd(width)}  ${text === undefined || text === '' ? '–' : text}  (${from})`);
  }
  for (const sentence of ofOriginal(process.env)) console.log(sentence);
});
