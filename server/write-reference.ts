import { writeFileSync } from 'node:fs';
import { referencePage } from './http/reference.ts';

// npm run api-page: writes docs/api.md anew.
writeFileSync(new URL('../docs/api.md', import.meta.url), referencePage());
