import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { CreateLimiter } from '../../platform/http/limiter.ts';

// More than a conversation needs, and fewer than a loop makes.
export const callsPerMinute = 60;

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Counts calls of assistants per token. */
    toolCallLimit: RateLimiterAbstract;
  }
}

export const createToolCallLimit = (createLimiter: CreateLimiter) =>
  createLimiter({ keyPrefix: 'mcp', points: callsPerMinute, duration: 60 });
