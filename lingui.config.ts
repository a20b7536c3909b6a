import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

// English is written where it is shown; web/locales holds what it is in other languages.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [{ path: '<rootDir>/web/locales/{locale}', include: ['<rootDir>/web'], exclude: ['**/*.test.*'] }],
  // Without the lines of the files and the names in the code a catalogue changes only when a text does.
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: 'origin',
});
