import { defineConfig } from '@lingui/cli';
import type { ExtractorType } from '@lingui/conf';
import babel from '@lingui/cli/api/extractors/babel';
import { formatter } from '@lingui/format-po';

/** Reads the messages of the server, whose ids are explicit. */
const serverMessages: ExtractorType = {
  match: (filename) => filename.endsWith('contract/messages.ts'),
  async extract(filename, _code, onMessage) {
    const { messages } = (await import(filename)) as { messages: Record<string, string> };
    for (const [id, message] of Object.entries(messages)) if (id !== 'text') onMessage({ id, message, origin: [filename, 1] });
  },
};

// English is written where it is shown, or in contract/messages for the server; web/locales holds the other languages.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [
    {
      path: '<rootDir>/web/locales/{locale}',
      include: ['<rootDir>/web', '<rootDir>/contract/messages.ts'],
      exclude: ['**/*.test.*'],
    },
  ],
  extractors: [serverMessages, babel],
  // Without the lines of the files and the names in the code a catalogue changes only when a text does.
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: 'origin',
});
