import type { Message, MessageParam } from '#contract/messages.ts';

function mapParam(param: MessageParam, change: (text: string) => string): MessageParam {
  if (typeof param === 'string') return change(param);
  if (typeof param === 'number') return param;
  if (Array.isArray(param)) return mapTexts(param, change);
  if ('at' in param || 'day' in param) return param;
  return 'list' in param ? { list: mapTexts(param.list, change) } : mapTexts([param], change)[0]!;
}

/** Changes every text that is a parameter of a message, for example to mask secrets in it. */
export const mapTexts = (messages: Message[], change: (text: string) => string): Message[] =>
  messages.map(({ id, params }) => ({
    id,
    ...(params && { params: Object.fromEntries(Object.entries(params).map(([name, param]) => [name, mapParam(param, change)])) }),
  }));
