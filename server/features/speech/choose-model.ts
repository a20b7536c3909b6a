import { message, type Message } from '#contract/messages.ts';
import { readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { MessageError, messagesOf } from '../../platform/messages/message-error.ts';
import { speechEngine } from './engine.ts';
import { findModels, type ModelFolder } from './models.ts';

/**
 * Returns the model of the settings; without one there, `base` or the smallest that can be used.
 * @throws MessageError
 */
export async function chooseModel(app: AppContext): Promise<ModelFolder> {
  const models = await findModels(app);
  const { model: wanted } = (await readSettings(app.db)).speech;
  const usable = models.filter(({ problem }) => problem === null);
  if (wanted === null) {
    const found = usable.find(({ name }) => name === 'base') ?? usable[0];
    if (!found) throw new MessageError(models[0]?.problem ?? message('speech.no-model'));
    return found;
  }
  const found = models.find(({ name }) => name === wanted);
  if (!found) throw new MessageError(message('speech.model-missing', { name: wanted }));
  if (found.problem) throw new MessageError(found.problem);
  return found;
}

/** Returns why nothing can be transcribed, or null. */
export async function whyNotReady(app: AppContext): Promise<Message[] | null> {
  if (!(await speechEngine.find(app))) return [speechEngine.whyMissing(app)];
  return chooseModel(app).then(() => null, messagesOf);
}

/** Returns the name of the model in use; null if there is none. */
export const modelName = (app: AppContext): Promise<string | null> =>
  chooseModel(app).then(
    ({ name }) => name,
    () => null,
  );
