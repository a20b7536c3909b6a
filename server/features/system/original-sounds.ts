import { message } from '#contract/messages.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { warn, type Found } from './finding.ts';
import type { NamedCheck } from './ytdlp-checks.ts';

const maxChannels = 5;
// A share of the videos of a channel: single ones were dubbed on purpose.
const maxShare = 0.05;

/** Finds the channels whose videos often have dubs without the original sound, most videos first. */
const channelsWithoutOriginal = (db: Db) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['channel.name', (e) => e.fn.countAll<number>().as('videos')])
    .where(
      'video.id',
      'in',
      db
        .selectFrom('stream')
        .select('videoId')
        .where('type', '=', 'audio')
        .groupBy('videoId')
        // Of older videos the kind is not known: null.
        .having((h) => h(h.fn.count('kind').filterWhere('kind', 'in', ['dub', 'auto_dub', 'description']), '=', h.fn.countAll())),
    )
    .groupBy(['channel.id', 'channel.name'])
    .having(
      (h) => h.fn.countAll<number>(),
      '>',
      (h) =>
        h
          .selectFrom('video as other')
          .select(sql<number>`count(*) * ${sql.lit(maxShare)}`.as('least'))
          .whereRef('other.channelId', '=', 'channel.id'),
    )
    .orderBy('videos', 'desc')
    .orderBy('channel.name')
    .limit(maxChannels)
    .execute();

/** Channels whose videos arrived without their original sound; no row without any. */
export async function originalSounds(db: Db): Promise<NamedCheck[]> {
  const channels = await channelsWithoutOriginal(db);
  if (channels.length === 0) return [];
  const findings = channels.map(({ name, videos }) => message('health.no-original', { channel: name, count: Number(videos) }));
  const found: Found = warn(findings, message('health.no-original-remedy'));
  return [['sounds', found]];
}
