import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { formatDay, formatUtc } from '../lib/format-time.ts';
import { messages as texts, type Message, type MessageParam } from '#contract/messages.ts';

const english = setupI18n({ locale: 'en', messages: { en: {} } }).setMessagesCompiler(compileMessage);

function renderParam(param: MessageParam): string | number {
  if (typeof param !== 'object') return param;
  if (!Array.isArray(param) && 'at' in param) return formatUtc(param.at);
  if (!Array.isArray(param) && 'day' in param) return formatDay(param.day);
  return 'list' in param ? param.list.map(renderMessages).join(', ') : renderMessages(param);
}

function renderOne({ id, params = {} }: Message): string {
  if (id === 'text') return String(renderParam(params.text ?? ''));
  const values = Object.fromEntries(Object.entries(params).map(([name, param]) => [name, renderParam(param)]));
  return english._(id, values, { message: texts[id] });
}

/** Renders messages in English, joined with a space. A message that begins with a line break gets its own line. */
export const renderMessages = (messages: Message | Message[]): string =>
  [messages].flat().map(renderOne).join(' ').replaceAll(' \n', '\n');
