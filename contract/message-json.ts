import { z } from 'zod';
import type { Message, MessageId, MessageParam } from './messages.ts';

/** JSON form of a message. A newer server may send ids that this client does not know. */
export const MessageJson: z.ZodType<Message> = z.object({
  id: z.string() as unknown as z.ZodType<MessageId>,
  params: z
    .record(
      z.string(),
      z.lazy(() => Param),
    )
    .optional(),
});

const Param: z.ZodType<MessageParam> = z.union([
  z.string(),
  z.number(),
  MessageJson,
  z.array(MessageJson),
  z.object({ list: z.array(MessageJson) }),
  z.object({ at: z.number() }),
  z.object({ day: z.number() }),
]);
