import type { RulesPreview } from '#contract/rules.ts';
import type { Archive } from '../archive.ts';
import { judge, type Judged, type Rules } from './rules.ts';

type State = 'archived' | 'waiting' | 'ignored' | 'listed';

interface Known extends Judged {
  id: string;
  state: State;
}

const mostExamples = 20;

/** Everything that is known of a channel: archived, in the queue, or only seen in its listing. Newest first. */
async function knownOf({ db }: Archive, source: { channelId: string } | { playlistId: string }): Promise<Known[]> {
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
      .selectFrom('listed')
      .select(['videoId', 'title', 'durationSeconds', 'publishedAt', 'isMembersOnly'])
      .where((w) => (ids ? w('videoId', 'in', ids) : w('channelId', '=', channelId)))
      .execute(),
  ]);
  const known = new Map<string, Known>();
  for (const { videoId, isMembersOnly, ...row } of listed)
    known.set(videoId, { ...row, id: videoId, state: 'listed', isMembersOnly: isMembersOnly === 1 });
  const over = (id: string, more: Omit<Known, 'isMembersOnly' | 'id'>) => {
    const seen = known.get(id);
    // What only the listing told (a guessed date, who may see it) is better than nothing.
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

/** Says what rules would take of what is known of a source, and what they would leave out, and why. Changes nothing. */
export async function previewRules(
  archive: Archive,
  source: { channelId: string } | { playlistId: string },
  rules: Rules,
): Promise<Omit<RulesPreview, 'leaving' | 'leaving_total' | 'leaving_size'>> {
  const leftOut = judge(rules, archive.now());
  const counts = { taken: 0, left_out: 0 };
  const states: Record<State, number> = { archived: 0, waiting: 0, ignored: 0, listed: 0 };
  const reasons = new Map<string, { rule: string; sentence: string; count: number }>();
  const examples: RulesPreview['examples'] = [];
  for (const [place, one] of (await knownOf(archive, source)).entries()) {
    states[one.state]++;
    const why = leftOut(one, place);
    if (!why) counts.taken++;
    else {
      counts.left_out++;
      const reason = reasons.get(why.rule) ?? { ...why, count: 0 };
      reason.count++;
      reasons.set(why.rule, reason);
      if (examples.length < mostExamples)
        examples.push({ youtube_id: one.id, title: one.title, state: one.state, sentence: why.sentence });
    }
  }
  return { ...counts, ...states, reasons: [...reasons.values()], examples };
}
