import { meaningModels, type MeaningModel } from '#contract/meaning-models.ts';
import { readSettings, readStored, writeStored } from '../../archive/settings/store.ts';
import type { Db } from '../../platform/db/db.ts';

// While the index of another model is built, the one before answers. The name of the model whose index was complete last is stored.

const storedName = 'service.meaning';

const asModel = (name: unknown): MeaningModel => meaningModels.find((model) => model === name) ?? 'use-m3';

/** Returns whether a model has passages in the index. */
const isInIndex = async (db: Db, model: MeaningModel): Promise<boolean> =>
  (await db.selectFrom('passageTrack').select('number').where('model', '=', model).limit(1).executeTakeFirst()) !== undefined;

/** Returns the models that have passages. */
export async function modelsInIndex(db: Db): Promise<MeaningModel[]> {
  const found = await Promise.all(meaningModels.map((model) => isInIndex(db, model)));
  return meaningModels.filter((_, place) => found[place]);
}

/** Returns whether another model than the chosen one still has passages. */
export const hasOtherModels = async (db: Db, chosen: MeaningModel): Promise<boolean> =>
  (await modelsInIndex(db)).some((model) => model !== chosen);

/**
 * Returns the model that answers questions: the chosen one, or the one before while it has passages and the index of the chosen one is
 * incomplete. Vectors of two models are never compared.
 */
export async function activeModel(db: Db): Promise<MeaningModel> {
  const chosen = (await readSettings(db)).meaning.model;
  const former = asModel(await readStored(db, storedName));
  return former !== chosen && (await isInIndex(db, former)) ? former : chosen;
}

/** Stores that the index of a model is complete, so that it answers from now on. */
export const setActiveModel = (db: Db, model: MeaningModel) => writeStored(db, storedName, model);
