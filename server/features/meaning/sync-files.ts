import { join } from 'node:path';
import { meaningModels } from '#contract/meaning-models.ts';
import { readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { removeFolder } from '../../platform/files/files.ts';

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Resolves when the files of the search by meaning are up to date or could not be updated. */
    meaningFiles: Promise<void>;
  }
}

async function update({ db, config }: AppContext): Promise<void> {
  if (!(await readSettings(db)).meaning.enabled) return removeFolder(join(config.cacheFolder, 'meaning'));
  const [{ codesFolder, deleteCodes, syncCodes }, { modelsInIndex }] = await Promise.all([
    import('./codes.ts'),
    import('./active-model.ts'),
  ]);
  const inUse = await modelsInIndex(db);
  const folder = codesFolder(config);
  for (const model of meaningModels)
    if (inUse.includes(model)) await syncCodes(db, { folder, model });
    else await deleteCodes({ folder, model });
}

/**
 * Updates the files of this server that the search by meaning reads. While it is off there are none, because nothing would update them.
 * One update runs at a time, since each writes where the last one ended; a call during one waits and looks at the table again.
 */
export function syncMeaningFiles(app: AppContext): Promise<void> {
  const updated = app.state.meaningFiles.then(() => update(app));
  app.state.meaningFiles = updated.catch(() => undefined);
  return updated;
}
