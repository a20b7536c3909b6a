import type { MeaningModel } from '#contract/meaning-models.ts';
import { message, type Message } from '#contract/messages.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { messagesOf } from '../../../platform/messages/message-error.ts';
import { activeModel } from '../../meaning/active-model.ts';
import { codesFolder } from '../../meaning/codes.ts';
import { modelFor } from '../../meaning/model.ts';
import { embedQuestion } from '../../meaning/question.ts';
import { indexTotals, maxPassages, uncovered } from '../../meaning/store.ts';
import type { MeaningQuery } from './find-similar-passages.ts';
import type { ParsedMoments } from './parse-moments.ts';
import { splitQuery } from './parse.ts';

/** Says what of the archive is not in the index. */
export async function indexNotices({ db }: AppContext, model: MeaningModel): Promise<Message[]> {
  const [{ videos, passages, queue }, others] = await Promise.all([indexTotals(db, model), uncovered(db, model)]);
  const percent = Math.floor((videos / Math.max(1, videos + queue)) * 100);
  const isFull = passages >= maxPassages;
  // While the index of another model is built, it is chosen already.
  const isChosen = (await readSettings(db)).meaning.model === model;
  const better = isChosen ? modelFor(model, others.languages) : null;
  return [
    ...(queue > 0 && !isFull ? [message('search.meaning-progress', { percent })] : []),
    ...(isFull ? [message('search.meaning-full')] : []),
    ...(others.videos > 0
      ? [message('search.meaning-languages', { count: others.videos, languages: others.languages.slice(0, 5).join(', ') })]
      : []),
    ...(better ? [message('search.meaning-model', { model: better })] : []),
  ];
}

/** Returns the question of a search by meaning, or without one, why; and what its index lacks. */
export async function askByMeaning(
  app: AppContext,
  text: string,
  { terms, phrases }: ParsedMoments,
): Promise<{ meaning: MeaningQuery | null; notices: Message[] }> {
  // As typed: to the model, upper case matters.
  const words = new Set([...terms, ...phrases]);
  const question = splitQuery(text)
    .filter((piece) => !piece.isExcluded && words.has(piece.text.toLowerCase()))
    .map((piece) => piece.text)
    .join(' ')
    .trim();
  if (question === '') return { meaning: null, notices: [] };
  try {
    const model = await activeModel(app.db);
    const vector = await embedQuestion(app, model, question);
    const files = { folder: codesFolder(app.config), model };
    return { meaning: { vector, files }, notices: await indexNotices(app, model) };
  } catch (error) {
    return { meaning: null, notices: messagesOf(error) };
  }
}
