import { plainText, type Message } from '#contract/messages.ts';
import { renderMessages } from './render.ts';

/** An error with a message for users. `message` is its English text. */
export class MessageError extends Error {
  readonly messages: Message[];
  constructor(messages: Message | Message[], options?: ErrorOptions) {
    super(renderMessages(messages), options);
    this.messages = [messages].flat();
  }
}

/** Returns the messages of a caught error. The text of an error without messages is passed on as it is. */
export const messagesOf = (error: unknown): Message[] =>
  error instanceof MessageError ? error.messages : [plainText(error instanceof Error ? error.message : String(error))];
