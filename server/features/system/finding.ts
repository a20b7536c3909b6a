import type { Check } from '#contract/health.ts';
import type { Message } from '#contract/messages.ts';
import { renderMessages } from '../../platform/messages/render.ts';

/** Result of a health check. */
export type Found = Omit<Check, 'name' | 'title' | 'group'>;
type Finding = Message | Message[];

function found(state: Check['state'], finding: Finding, advice?: Message): Found {
  const remedy = advice && { advice: renderMessages(advice), advice_messages: [advice] };
  return { state, text: renderMessages(finding), messages: [finding].flat(), ...remedy };
}
export const good = (finding: Finding): Found => found('good', finding);
export const warn = (finding: Finding, advice?: Message): Found => found('warn', finding, advice);
export const bad = (finding: Finding, advice?: Message, command?: string): Found => ({
  ...found('bad', finding, advice),
  ...(command && { command }),
});
