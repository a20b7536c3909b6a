import { backupMessages } from './messages/backup.ts';
import { connectionMessages } from './messages/connection.ts';
import { downloadMessages } from './messages/download.ts';
import { errorMessages } from './messages/errors.ts';
import { eventMessages } from './messages/events.ts';
import { healthMessages } from './messages/health.ts';
import { importMessages } from './messages/import.ts';
import { chapterMessages } from './messages/chapters.ts';
import { meaningMessages } from './messages/meaning.ts';
import { mediaServerMessages } from './messages/media-servers.ts';
import { programImportMessages } from './messages/program-import.ts';
import { notifyMessages } from './messages/notify.ts';
import { playbackMessages } from './messages/playback.ts';
import { poTokenMessages } from './messages/po-tokens.ts';
import { searchMessages } from './messages/search.ts';
import { speechMessages } from './messages/speech.ts';
import { taskMessages } from './messages/tasks.ts';
import { viewMessages } from './messages/views.ts';

/**
 * Every message of the server: id → English text in ICU MessageFormat. The German texts are in web/locales/de.po under the
 * same ids. `{name}` is a text or other messages, `{name, number}` and `{name, plural, …}` a number.
 */
export const messages = {
  /** External text, such as the title of a video or the output of another program. */
  text: '{text}',
  ...backupMessages,
  ...connectionMessages,
  ...downloadMessages,
  ...errorMessages,
  ...eventMessages,
  ...healthMessages,
  ...importMessages,
  ...meaningMessages,
  ...chapterMessages,
  ...mediaServerMessages,
  ...programImportMessages,
  ...notifyMessages,
  ...playbackMessages,
  ...poTokenMessages,
  ...searchMessages,
  ...speechMessages,
  ...taskMessages,
  ...viewMessages,
} as const;

export type MessageId = keyof typeof messages;

/** A message with its parameters. */
export interface Message {
  id: MessageId;
  params?: Record<string, MessageParam>;
}

/**
 * Several messages are sentences and joined with a space; those of a list are joined with a comma. `at`: a time in epoch
 * seconds. `day`: the day of a time.
 */
export type MessageParam = string | number | Message | Message[] | { list: Message[] } | { at: number } | { day: number };

type Until<Text extends string, End extends string> = Text extends `${infer Start}${End}${string}` ? Start : Text;
type Name<Rest extends string> = Until<Until<Until<Rest, '}'>, ','>, '{'>;
type Params<Text extends string> = Text extends `${string}{${infer Rest}`
  ? (Rest extends `${Name<Rest>}, ${'number' | 'plural'}${string}`
      ? Record<Name<Rest>, number>
      : Rest extends `${Name<Rest>}}${string}`
        ? Name<Rest> extends `${string} ${string}` | `#${string}`
          ? unknown
          : Record<Name<Rest>, MessageParam>
        : unknown) &
      Params<Rest>
  : unknown;

/** Parameters of a message, derived from the placeholders of its text. */
export type ParamsOf<Id extends MessageId> = Params<(typeof messages)[Id]>;

/** Arguments of `message` and of the functions that pass them on. */
export type MessageArgs<Id extends MessageId> = unknown extends ParamsOf<Id> ? [id: Id] : [id: Id, params: ParamsOf<Id>];

/** Creates a message from its arguments. */
export const messageFrom = ([id, params]: readonly [id: MessageId, params?: unknown]): Message =>
  params === undefined ? { id } : { id, params: params as Record<string, MessageParam> };

/** Creates a message. The compiler rejects unknown ids and missing parameters. */
export const message = <Id extends MessageId>(...args: MessageArgs<Id>): Message => messageFrom(args);

/** Wraps external text. */
export const plainText = (text: string): Message => ({ id: 'text', params: { text } });
