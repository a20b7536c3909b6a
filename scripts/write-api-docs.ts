import { writeFileSync } from 'node:fs';
import { renderApiMarkdown } from '../server/platform/http/openapi/api-markdown.ts';
import { renderTypescriptClient } from '../server/platform/http/openapi/typescript-client.ts';

// npm run docs:api: writes docs/api.md and the types of the TypeScript client.
writeFileSync(new URL('../docs/api.md', import.meta.url), renderApiMarkdown());
writeFileSync(new URL('../clients/typescript/api.ts', import.meta.url), renderTypescriptClient());
