import type { ChapterEvaluation } from '#contract/chapters.ts';
import { message, type Message } from '#contract/messages.ts';
import { readSettings } from '../../archive/settings/store.ts';
import type { Db } from '../../platform/db/db.ts';
import { activeModel } from '../meaning/active-model.ts';
import { readEvaluation } from './store.ts';

// Generated chapters are offered only where the archive itself shows that they are good (docs/decisions/generated-chapters.md).
const leastVideos = 20;
const leastFound = 0.45;
const leastMore = 0.2;

/** Returns the scores as percentages, rounded against the generated chapters, so that no number contradicts the decision. */
export const percentages = ({ found, even }: Pick<ChapterEvaluation, 'found' | 'even'>) => ({
  found: Math.floor(found * 100 + 1e-9),
  even: Math.max(0, Math.ceil(even * 100 - 1e-9)),
});

/** Returns why chapters cannot be generated, or null. `isMeaningOn`: what the setting is or will be. */
export async function whyNotGenerate(db: Db, isMeaningOn?: boolean): Promise<Message | null> {
  if (!(isMeaningOn ?? (await readSettings(db)).meaning.enabled)) return message('error.meaning-off');
  const evaluation = await readEvaluation(db);
  if (!evaluation || evaluation.model !== (await activeModel(db))) return message('chapters.not-evaluated');
  const { videos, found, even } = evaluation;
  if (videos < leastVideos) return message('chapters.few-videos', { count: videos, needed: leastVideos });
  if (found < leastFound || found - even < leastMore)
    return message('chapters.inexact', { ...percentages(evaluation), needed: leastFound * 100, more: leastMore * 100 });
  return null;
}
