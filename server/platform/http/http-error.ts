import { message, messageFrom, type Message, type MessageArgs, type MessageId } from '#contract/messages.ts';
import { MessageError } from '../messages/message-error.ts';

interface HttpErrorOptions {
  /** Field of the text: `error`, or `detail` for authentication errors. */
  key?: 'error' | 'detail';
  retryAfterSeconds?: number;
  /** Additional fields for some clients. */
  more?: Record<string, unknown>;
}

/**
 * A request that cannot be served, with a message for the user. Converted to a response in server/platform/http/server/error-handler.ts.
 * Any other error is a bug: 500, logged.
 */
export class HttpError extends MessageError {
  readonly status: number;
  readonly key: 'error' | 'detail';
  readonly retryAfterSeconds: number | undefined;
  readonly more: Record<string, unknown>;
  constructor(
    status: number,
    messages: Message | Message[],
    { key = 'error', retryAfterSeconds, more = {} }: HttpErrorOptions = {},
  ) {
    super(messages);
    this.status = status;
    this.key = key;
    this.retryAfterSeconds = retryAfterSeconds;
    this.more = more;
  }
}

export const notFound = <Id extends MessageId>(...args: MessageArgs<Id>) => new HttpError(404, messageFrom(args));
export const badRequest = <Id extends MessageId>(...args: MessageArgs<Id>) => new HttpError(400, messageFrom(args));
export const forbidden = <Id extends MessageId>(...args: MessageArgs<Id>) =>
  new HttpError(403, messageFrom(args), { key: 'detail' });
export const tooMany = (messages: Message | Message[], retryAfterSeconds: number) =>
  new HttpError(429, messages, { key: 'detail', retryAfterSeconds });

/** Only shown after successful authentication. */
export const accountDisabled = message('error.account-disabled');
