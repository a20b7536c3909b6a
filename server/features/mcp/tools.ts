import { z } from 'zod';
import type { Scope } from '#contract/endpoint.ts';
import { momentKinds } from '#contract/moment-kinds.ts';
import { maxNote, type Note } from '#contract/note.ts';
import type { FoundVideo } from '#contract/search.ts';
import { SpokenLanguage } from '#contract/speech.ts';
import { maxTag } from '#contract/tag.ts';
import type { Video } from '#contract/video.ts';
import { cuesOfVtt } from '../../platform/media/subtitle.ts';
import { ToolError, type OwnApi } from './own-api.ts';

// Of one result; the rest is read with another call.
const maxCharacters = 20_000;
const maxMoments = 20;

export interface Tool {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  isForStaff?: true;
  /** It changes something. */
  changes?: true;
  /** Fields of the result with words of third parties, at any depth. */
  untrusted?: string[];
  /** Shape of the arguments. */
  input: Record<string, z.ZodType>;
  run(args: never, api: OwnApi, linkTo: (id: string, second?: number) => string): Promise<object>;
}

const tool = <Input extends Record<string, z.ZodType>>(
  definition: Omit<Tool, 'input' | 'run'> & {
    input: Input;
    run(args: z.output<z.ZodObject<Input>>, api: OwnApi, linkTo: (id: string, second?: number) => string): Promise<object>;
  },
): Tool => definition as unknown as Tool;

const page = z.int().min(1).max(1000).default(1).describe('Page of the results, from 1');
const videoId = z.string().min(1).max(130).describe('Id of a video in the archive, from the other tools');

/** Seconds of `HH:MM:SS.mmm`. */
const secondsOf = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plainText = (html: string) =>
  html.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);

/**
 * Returns the language of the default audio track. Where the file does not name it, it is the language of automatic subtitles, of
 * which the untranslated ones end in `-orig`.
 */
async function spokenLanguage({ youtube_id: id, subtitles }: Video, api: OwnApi): Promise<string | undefined> {
  if (new Set(subtitles.map(({ lang }) => lang)).size < 2) return undefined;
  // Without ffmpeg the tracks are unknown.
  const tracks = await api.call('GET /api/video/:id/audio/', { params: { id } }).catch((error: unknown) => {
    if (error instanceof ToolError) return [];
    throw error;
  });
  const automatic = subtitles.filter(({ source }) => source === 'auto');
  return (
    tracks.find(({ is_default }) => is_default)?.language ??
    (automatic.find(({ lang }) => lang.endsWith('-orig')) ?? automatic[0])?.lang
  );
}

/** Returns subtitles in the spoken language, also in a variant of it, hand-made before automatic; else any. */
function defaultSubtitle(subtitles: Video['subtitles'], spoken: string | undefined) {
  const [base] = spoken?.split('-') ?? [];
  const inLanguage = subtitles.filter(({ lang }) => lang.split('-')[0] === base);
  const candidates = inLanguage.length > 0 ? inLanguage : subtitles;
  return candidates.find(({ source }) => source === 'user') ?? candidates[0];
}

const summaryOf = (video: Video, linkTo: (id: string) => string) => ({
  id: video.youtube_id,
  title: video.title,
  channel: video.channel.channel_name,
  channel_id: video.channel.channel_id,
  published: video.published,
  added: new Date(video.date_downloaded * 1000).toISOString(),
  duration_seconds: video.player.duration,
  watched: video.player.watched,
  link: linkTo(video.youtube_id),
});

const noteOf = (note: Note, linkTo: (id: string, second?: number) => string) => ({
  note: note.id,
  kind: note.kind,
  video: note.video,
  title: note.video_title,
  channel: note.channel_name,
  ...(note.start !== null && { from_seconds: note.start }),
  ...(note.end !== null && { to_seconds: note.end }),
  text: note.text,
  ...(note.quote !== null && { quote: note.quote }),
  ...(note.tags.length > 0 && { tags: note.tags }),
  link: note.is_archived ? linkTo(note.video, note.start ?? undefined) : note.url,
});

/** Lists videos with at most `ofEach` of their moments. */
const momentsOf = (videos: readonly FoundVideo[], ofEach: number, linkTo: (id: string, second?: number) => string) =>
  videos.map(({ youtube_id: id, title, channel, more, moments }) => ({
    id,
    title,
    channel,
    more_moments: more + Math.max(0, moments.length - ofEach),
    moments: moments.slice(0, ofEach).map(({ kind, start, end, lang, is_generated, text, author, note_id }) => ({
      kind,
      text,
      ...(start !== null && { from_seconds: start }),
      ...(end !== null && { to_seconds: end }),
      ...(lang !== null && { language: lang, is_generated }),
      ...(author !== null && { author }),
      ...(note_id !== null && { note: note_id }),
      link: linkTo(id, start ?? undefined),
    })),
  }));

/** The tools of the MCP server, in the order that assistants see. */
export const tools: Tool[] = [
  tool({
    name: 'search_moments',
    title: 'Search everything',
    description:
      'Finds what was said or written about the archived videos: titles, spoken words, chapters, descriptions, comments, tags and, with the scope notes, the notes of the user. Returns videos with their best moment; more of one video with `video`.',
    scope: 'read',
    input: {
      words: z.string().min(1).max(500).describe('Words; a phrase in double quotes; -word to exclude'),
      kinds: z.array(z.enum(momentKinds)).optional().describe('Only these kinds of text'),
      video: videoId.optional().describe('Only this video, with its best twenty moments'),
      after: z.iso.date().optional().describe('Published on or after this day'),
      before: z.iso.date().optional().describe('Published before this day'),
      page,
    },
    untrusted: ['title', 'channel', 'text', 'author'],
    async run({ words, kinds, ...filters }, api, linkTo) {
      const { videos, has_more } = await api.call('GET /api/search/moments/', {
        query: { query: words, in: kinds?.join(), ...filters },
      });
      // A page has twenty videos.
      const ofEach = filters.video === undefined ? 1 : maxMoments;
      return { videos: momentsOf(videos, ofEach, linkTo), has_more };
    },
  }),
  tool({
    name: 'similar_moments',
    title: 'Find similar moments',
    description:
      'Finds where the archived videos say something about the same as a video does at a time, also in other words and languages. Returns up to twenty videos with their best moment. Staff must have turned the search by meaning on.',
    scope: 'read',
    input: { video: videoId, second: z.number().min(0).describe('Second of the video, such as from_seconds of another tool') },
    untrusted: ['title', 'channel', 'text'],
    async run({ video, second }, api, linkTo) {
      const { source, videos } = await api.call('GET /api/search/moments/similar/', { query: { video, t: second } });
      return {
        source: momentsOf([source], 1, linkTo)[0]!,
        videos: momentsOf(videos.slice(0, maxMoments), 1, linkTo),
        has_more: videos.length > maxMoments,
      };
    },
  }),
  tool({
    name: 'search_transcripts',
    title: 'Search spoken words',
    description: 'Finds where words are spoken in the archived videos: text, time and a link to that second.',
    scope: 'read',
    input: {
      words: z.string().min(1).max(500).describe('Words; a phrase in double quotes'),
      channel: z.string().max(200).optional().describe('Only this channel: a part of its name'),
      language: z.string().max(35).optional().describe('Only this subtitle language, such as "en"'),
      page,
    },
    untrusted: ['title', 'channel', 'text'],
    async run(args, api, linkTo) {
      const filters = [args.channel && `channel:${args.channel}`, args.language && `lang:${args.language}`].filter(Boolean);
      const query = ['full:' + args.words, ...filters].join(' ');
      const { results, has_more } = await api.call('GET /api/search/', { query: { query, page: args.page } });
      return {
        hits: results.fulltext_results.map((hit) => ({
          video: hit.youtube_id,
          title: hit.title,
          channel: hit.subtitle_channel,
          language: hit.subtitle_lang,
          from_seconds: secondsOf(hit.subtitle_hit_start),
          to_seconds: secondsOf(hit.subtitle_end),
          text: plainText(hit.subtitle_line),
          link: linkTo(hit.youtube_id, secondsOf(hit.subtitle_hit_start)),
        })),
        has_more,
      };
    },
  }),
  tool({
    name: 'search_videos',
    title: 'Search videos',
    description: 'Finds archived videos by words of their title, tags or category.',
    scope: 'read',
    input: { words: z.string().min(1).max(500).describe('Words'), page },
    untrusted: ['title', 'channel'],
    async run(args, api, linkTo) {
      const query = { query: `video:${args.words}`, page: args.page };
      const { results, has_more } = await api.call('GET /api/search/', { query });
      return { videos: results.video_results.map((video) => summaryOf(video, linkTo)), has_more };
    },
  }),
  tool({
    name: 'get_transcript',
    title: 'Read a transcript',
    description: 'Returns what is said in a video, with times in seconds, for a part of it or the whole.',
    scope: 'read',
    input: {
      video: videoId,
      from: z.number().min(0).optional().describe('First second'),
      to: z.number().min(0).optional().describe('Last second'),
      language: z.string().max(35).optional().describe('Subtitle language; otherwise the spoken one, hand-made before automatic'),
    },
    untrusted: ['title', 'text'],
    async run(args, api) {
      const video = await api.call('GET /api/video/:id/', { params: { id: args.video } });
      const { subtitles } = video;
      const chosen = args.language
        ? subtitles.find(({ lang }) => lang === args.language || lang.startsWith(`${args.language}-`))
        : defaultSubtitle(subtitles, await spokenLanguage(video, api));
      const languages = [...new Set(subtitles.map(({ lang }) => lang))];
      if (!chosen)
        throw new ToolError(
          languages.length > 0
            ? `No subtitles in “${args.language}”. Available: ${languages.join(', ')}.`
            : 'This video has no subtitles.',
        );
      const cues = cuesOfVtt(await api.readFile(chosen.media_url));
      const wanted = cues.filter(({ start, end }) => end > (args.from ?? 0) && start <= (args.to ?? Infinity));
      let length = 0;
      const lines = [];
      for (const { start, end, text } of wanted) {
        length += text.length;
        if (length > maxCharacters && lines.length > 0) break;
        lines.push({ from: start, to: end, text });
      }
      const next = wanted[lines.length];
      return {
        video: video.youtube_id,
        title: video.title,
        language: chosen.lang,
        languages,
        lines,
        ...(next && { continues_at: next.start }),
      };
    },
  }),
  tool({
    name: 'list_new',
    title: 'List new videos',
    description: 'Lists the videos that were added last, newest first.',
    scope: 'read',
    input: {
      since: z.iso.date().optional().describe('First day, such as "2026-12-31"'),
      unwatched: z.boolean().default(false).describe('Only what the user has not watched'),
      page,
    },
    untrusted: ['title', 'channel'],
    async run(args, api, linkTo) {
      const { data, paginate } = await api.call('GET /api/video/', {
        query: {
          sort: 'downloaded',
          downloaded_from: args.since,
          watch: args.unwatched ? 'unwatched' : undefined,
          page: args.page,
        },
      });
      return { videos: data.map((video) => summaryOf(video, linkTo)), total: paginate.total_hits };
    },
  }),
  tool({
    name: 'video_details',
    title: 'Get a video',
    description: 'Returns description, chapters, tags, counts and subtitle languages of a video.',
    scope: 'read',
    input: { video: videoId },
    untrusted: ['title', 'channel', 'description', 'tags', 'chapters'],
    async run(args, api, linkTo) {
      const video = await api.call('GET /api/video/:id/', { params: { id: args.video } });
      return {
        ...summaryOf(video, linkTo),
        description: video.description,
        tags: video.tags,
        chapters: video.chapters,
        views: video.stats.view_count,
        likes: video.stats.like_count,
        position_seconds: video.player.position ?? 0,
        size_bytes: video.media_size,
        subtitle_languages: [...new Set(video.subtitles.map(({ lang }) => lang))],
        source_url: video.source_url,
        is_available_at_source: video.active,
      };
    },
  }),
  tool({
    name: 'list_notes',
    title: 'List notes',
    description: 'Lists the notes, bookmarks and highlights of the user, newest first; those of one video by time.',
    scope: 'notes',
    input: {
      words: z.string().max(500).optional().describe('Only notes with these words'),
      video: videoId.optional().describe('Only notes about this video'),
      tag: z.string().max(maxTag).optional().describe('Only notes with this private tag'),
      page,
    },
    untrusted: ['title', 'channel', 'quote'],
    async run({ words, ...filter }, api, linkTo) {
      const { data, paginate } = await api.call('GET /api/note/', { query: { query: words, ...filter } });
      return { notes: data.map((note) => noteOf(note, linkTo)), total: paginate.total_hits };
    },
  }),
  tool({
    name: 'add_note',
    title: 'Add a note',
    description: 'Adds a private note of the user to a video.',
    scope: 'notes',
    changes: true,
    input: {
      video: videoId,
      text: z.string().min(1).max(maxNote).describe('Markdown'),
      from: z.number().min(0).optional().describe('Second that it is about; left out: the whole video'),
      to: z.number().min(0).optional().describe('Last second'),
    },
    untrusted: ['title', 'channel'],
    async run({ video, text, from: start = null, to: end = null }, api, linkTo) {
      return noteOf(await api.call('POST /api/note/', { body: { video, text, start, end } }), linkTo);
    },
  }),
  tool({
    name: 'add_to_queue',
    title: 'Add to the download queue',
    description: 'Adds videos, playlists or channels to the download queue, by URL or id.',
    scope: 'download',
    isForStaff: true,
    changes: true,
    input: {
      urls: z.array(z.string().min(1).max(2000)).min(1).max(50).describe('URLs or ids'),
      download_now: z.boolean().default(false).describe('Whether the download starts at once'),
    },
    async run(args, api) {
      const { task_id } = await api.call('POST /api/download/', {
        query: { autostart: args.download_now },
        body: { data: args.urls.map((youtube_id) => ({ youtube_id })) },
      });
      return { task: task_id, message: 'The archive looks the links up now.' };
    },
  }),
  tool({
    name: 'request_transcript',
    title: 'Request a transcript',
    description:
      'Requests a transcript of a video without captions, made by a speech model on the server. It takes minutes to hours; get_transcript shows it later.',
    scope: 'staff',
    isForStaff: true,
    changes: true,
    input: {
      video: videoId,
      language: SpokenLanguage.optional().describe('Spoken language, such as "en"; left out: recognized'),
      now: z.boolean().default(false).describe('Also outside the background hours'),
    },
    async run({ video, language, now }, api) {
      const { state, starts_at, work } = await api.call('POST /api/video/:id/transcribe/', {
        params: { id: video },
        body: { now, ...(language !== undefined && { lang: language }) },
      });
      return {
        video,
        state,
        ...(starts_at !== null && { starts_at: new Date(starts_at * 1000).toISOString() }),
        ...(work !== null && { work_seconds: Math.round(work) }),
      };
    },
  }),
];
