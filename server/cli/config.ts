import { effectiveConfig } from '../platform/config/config.ts';
import { tubearchivistVariables } from '../platform/config/env-warnings.ts';
import { runCommand } from './run-command.ts';

// `npm run cli -- config`: prints the effective value and the source of every variable. Secrets are masked.

await runCommand(async () => {
  const all = effectiveConfig(process.env);
  const width = Math.max(...all.map(({ name }) => name.length));
  for (const { name, text, under } of all) {
    const from = under === undefined ? 'initially' : under === name ? 'environment' : under;
    console.log(`${name.padEnd(width)}  ${text === undefined || text === '' ? '–' : text}  (${from})`);
  }
  for (const sentence of tubearchivistVariables(process.env)) console.log(sentence);
});
