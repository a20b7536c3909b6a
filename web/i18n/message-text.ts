import { i18n } from '@lingui/core';
import type { Message, MessageParam } from '#contract/messages.ts';
import { dateTimeText, dayText } from '#web/format/dates.ts';

/** Renders messages in the language of the page; undefined if its catalogue lacks one of them, for example after an update of the server. */
function render(messages: Message[]): string[] | undefined {
  const texts = messages.map(({ id, params = {} }) => {
    if (id === 'text') return renderParam(params.text ?? '');
    if (!(id in i18n.messages)) return undefined;
    const values = Object.entries(params).map(([name, param]) => [name, renderParam(param)] as const);
    return values.some(([, value]) => value === undefined) ? undefined : i18n._(id, Object.fromEntries(values));
  });
  return texts.some((text) => text === undefined) ? undefined : texts.map(String);
}

function renderParam(param: MessageParam): string | number | undefined {
  if (typeof param !== 'object') return param;
  if (Array.isArray(param)) return render(param)?.join(' ');
  if ('at' in param) return dateTimeText(param.at);
  if ('day' in param) return dayText(param.day);
  return 'list' in param ? render(param.list)?.join(', ') : render([param])?.join(' ');
}

/** Text of messages in the language of the page, else the server's English text. */
export const messageText = (messages: Message[] | null | undefined, english: string): string =>
  (messages && render(messages)?.join(' ').replaceAll(' \n', '\n')) ?? english;

/** Starts an error in upper case: `Video not found`. Those that the API shares with TubeArchivist begin in lower case. */
export const sentenceCase = (text: string) => text.replace(/^(?!ffmpeg )[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());

/** Name of a health check. */
export const checkName = (name: string, english: string) => messageText([{ id: `check.${name}` as Message['id'] }], english);
