import { plainText, type Message, type MessageParam } from '#contract/messages.ts';
import { isJsonObject } from '../lib/untrusted.ts';

// Without zod (contract/message-json.ts), because the database threads load this file.

const isMessage = (value: unknown): value is Message =>
  isJsonObject(value) &&
  typeof value['id'] === 'string' &&
  (value['params'] === undefined || (isJsonObject(value['params']) && Object.values(value['params']).every(isParam)));
const isMessages = (value: unknown): value is Message[] => Array.isArray(value) && value.every(isMessage);
const isParam = (value: unknown): value is MessageParam =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  isMessage(value) ||
  isMessages(value) ||
  (isJsonObject(value) && (isMessages(value['list']) || typeof value['at'] === 'number'));

/** Text of a database column that holds messages. */
export const storeMessages = (messages: Message | Message[]): string => JSON.stringify([messages].flat());

/** Reads messages from a database column. Any other text, such as one from an imported backup, is passed on as it is. */
export function parseMessages(column: string): Message[];
export function parseMessages(column: string | null): Message[] | null;
export function parseMessages(column: string | null): Message[] | null {
  if (column === null) return null;
  try {
    const value: unknown = JSON.parse(column);
    if (isMessages(value)) return value;
  } catch {
    // not JSON
  }
  return [plainText(column)];
}
