import type { RulesPreview } from '#contract/rules.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { applyRules, type RuleSubject, type Rules } from '../../archive/queue/filter-rules.ts';

type State = 'archived' | 'waiting' | 'ignored' | 'listed';

interface Known extends RuleSubject {
  id: string;
  state: State;
}

const maxExamples = 20;

/** Returns all known videos of a channel or playlist: archived, queued or only seen in its listing. Newest first. */
async function knownOf({ db }: AppContext, source: { channelId: string } | { playlistId: string }): Promise<Known[]> {
  const ids =
    'playlistId' in source
      ? db.selectFrom('playlistEntry').select('videoId').where('playlistId', '=', source.playlistId)
      : undefined;
  const channelId = 'channelId' in source ? source.channelId : '';
  const [videos, queue, listed] = await Promise.all([
    db
      .selectFrom('video')
      .select(['id', 'title', 'durationSeconds', 'publishedAt'])
      .where((w) => (ids ? w('id', 'in', ids) : w('channelId', '=', channelId)))
      .execute(),
    db
      .selectFrom('download')
      .select(['id', 'title', 'durationSeconds', 'publishedAt', 'status'])
      .where((w) => (ids ? w('id', 'in', ids) : w('channelId', '=', channelId)))
      .execute(),
    db
      .selectFrom('seenEntry')
      .select(['videoId', 'title', 'durationSeconds', 'publishedAt', 'isMembersOnly'])
      .where((w) => (ids ? w('videoId', 'in', ids) : w('channelId', '=', channelId)))
      .execute(),
  ]);
  const known = new Map<string, Known>();
  for (const { videoId, isMembersOnly, ...row } of listed)
    known.set(videoId, { ...row, id: videoId, state: 'listed', isMembersOnly: isMembersOnly === 1 });
  const over = (id: string, more: Omit<Known, 'isMembersOnly' | 'id'>) => {
    const seen = known.get(id);
    // Estimated dates and access levels from the listing are used if nothing better is known.
    known.set(id, {
      ...more,
      id,
      publishedAt: more.publishedAt ?? seen?.publishedAt ?? null,
      isMembersOnly: seen?.isMembersOnly ?? false,
    });
  };
  for (const { status, id, ...row } of queue) over(id, { ...row, state: status === 'ignore' ? 'ignored' : 'waiting' });
  for (const { id, ...row } of videos) over(id, { ...row, state: 'archived' });
  return [...known.values()].sort((a, b) => (b.publishedAt ?? Infinity) - (a.publishedAt ?? Infinity));
}

/** Returns which known videos of a source the rules would include and exclude, with the reasons. Changes nothing. */
export async function previewRules(
  app: AppContext,
  source: { channelId: string } | { playlistId: string },
  rules: Rules,
): Promise<Omit<RulesPreview, 'expiring' | 'expiring_total' | 'expiring_size'>> {
  const leftOut = applyRules(rules, app.now());
  const counts = { taken: 0, left_out: 0 };
  const states: Record<State, number> = { archived: 0, waiting: 0, ignored: 0, listed: 0 };
  const reasons = new Map<string, { rule: string; sentence: string; count: number }>();
  const examples: RulesPreview['examples'] = [];
  for (const [place, one] of (await knownOf(app, source)).entries()) {
    states[one.state]++;
    const why = leftOut(one, place);
    if (!why) counts.taken++;
    else {
      counts.left_out++;
      const reason = reasons.get(why.rule) ?? { rule: why.rule, sentence: renderMessages(why.message), count: 0 };
      reason.count++;
      reasons.set(why.rule, reason);
      if (examples.length < maxExamples)
        examples.push({ youtube_id: one.id, title: one.title, state: one.state, sentence: renderMessages(why.message) });
    }
  }
  return { ...counts, ...states, reasons: [...reasons.values()], examples };
}
