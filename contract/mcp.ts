import { z } from 'zod';
import type { Contract } from './endpoint.ts';

export const mcpCalls = {
  'POST /mcp/': {
    may: 'user',
    scope: 'read',
    bearer: true,
    does: 'Model Context Protocol for assistants, over streamable HTTP (docs/mcp.md)',
    body: z.union([z.looseObject({}), z.array(z.looseObject({}))]),
    refusal: z.looseObject({}),
    protocol: true,
  },
} satisfies Contract;
