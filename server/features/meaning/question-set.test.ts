import { describe, expect, onTestFinished, test } from 'vitest';
import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { meaningModels } from '#contract/meaning-models.ts';
import { writeSettings } from '../../archive/settings/store.ts';
import { saveTranscriptOf, transcriptLines } from '../../archive/video/save-transcript.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { createChannel, createUser, createVideo, testApp, testTimeouts } from '../../test-support/app.ts';
import { indexPending } from '../search/index/index-pending.ts';
import { codesFolder } from './codes.ts';
import { models } from './model.ts';
import { nearestPassages } from './nearest.ts';
import { embedQuestion } from './question.ts';
import { questionSet } from '../../test-support/question-set.ts';
import { startEmbeddingIfDue } from './tasks.ts';

const { REELKEEP_TEST_MEANING_PYTHON: python } = process.env;

describe.runIf(python)('questions in three languages about English passages', () => {
  test.each(meaningModels)(
    '%s has at least 80 % of the answers among the first ten, and shows more than their words find',
    { timeout: 300_000 },
    async (model) => {
      const t = await testApp({ env: { REELKEEP_MODELS_PYTHON: python! } });
      onTestFinished(() => t.close());
      const user = await createUser(t);
      const { db } = t.app;
      await writeSettings(db, { meaning: { enabled: true, model } });
      await t.runner.begin();
      const channelId = await createChannel(db, { id: 'talks', name: 'Talks' });
      const idOf = (place: number) => `answer${String(place).padStart(5, '0')}`;
      for (const [place, { passage }] of questionSet.entries()) {
        const videoId = await createVideo(db, { id: idOf(place), channelId, title: 'Talk' });
        await db
          .insertInto('subtitle')
          .values({ videoId, lang: 'en', source: 'user', name: 'en', path: `${videoId}.vtt` })
          .execute();
        const lines = transcriptLines('en', [{ start: 0, end: 25, text: passage }]);
        await inTransaction(db, (tx) => saveTranscriptOf(tx, videoId, { lang: 'en', lines }));
      }
      await indexPending(db);
      await startEmbeddingIfDue(t.app);
      await expect.poll(() => t.app.tasks.activeInputs('embed_passages'), testTimeouts).toEqual([]);
      const shown = { meaning: 0, words: 0 };
      let found = 0;
      for (const [place, { question }] of questionSet.entries()) {
        const id = idOf(place);
        for (const mode of ['meaning', 'words'] as const) {
          const response = await user.call('GET', `/api/search/moments/?mode=${mode}&query=${encodeURIComponent(question)}`);
          const { videos } = response.json<Reply<Api['GET /api/search/moments/']>>();
          if (videos.slice(0, 10).some(({ youtube_id }) => youtube_id === id)) shown[mode]++;
        }
        // The order alone, also of passages that are not similar enough to be shown.
        const nearest = await nearestPassages(db, {
          files: { folder: codesFolder(t.app.config), model },
          vector: await embedQuestion(t.app, model, question),
          tracks: null,
          onVideo: (w) => w.and([]),
          leastDeviations: -99,
          unrelated: models[model].unrelatedQuestions,
          limit: 10,
        });
        if (nearest.some(({ videoId }) => videoId === id)) found++;
      }
      const least = (share: number) => Math.ceil(share * questionSet.length);
      expect(found).toBeGreaterThanOrEqual(least(0.8));
      expect(shown.meaning).toBeGreaterThanOrEqual(least(0.6));
      expect(shown.meaning).toBeGreaterThan(2 * shown.words);
    },
  );
});
