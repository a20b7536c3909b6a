import type { Message } from '#contract/messages.ts';
import { MessageError } from '../../platform/messages/message-error.ts';

/** The URL of a notification target is invalid. */
export class InvalidUrlError extends MessageError {
  constructor(why: Message) {
    super(why);
    this.name = 'BadUrl';
  }
}

/** A notification was not delivered. The message never contains text of the remote server. */
export class DeliveryError extends MessageError {
  /** Some of several recipients have the message; a retry would send it to them twice. */
  readonly isPartial: boolean;
  constructor(why: Message, { isPartial = false }: { isPartial?: boolean } = {}) {
    super(why);
    this.name = 'NotSent';
    this.isPartial = isPartial;
  }
}
