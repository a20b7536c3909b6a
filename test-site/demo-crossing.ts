/** The demo video with all features: subtitles in two languages, chapters, comments with replies, a sponsor segment. */
import { aVideo, cuesFrom } from './builders.ts';
import type { Comment, Video } from './catalogue.ts';

/** Creates a comment with defaults. */
export const comment = (id: string, author: string, text: string, more: Partial<Comment> = {}): Comment => ({
  id,
  author,
  authorId: `UC${author.slice(1).padEnd(22, 'x')}`,
  text,
  likes: 3,
  ago: '3 weeks ago',
  ...more,
});

export const crossing = (channelId: string): Video =>
  aVideo({
    width: 640,
    height: 360,
    id: 'coastNight1',
    channelId,
    title: 'The 23:40 to the coast: eleven hours in a sleeper car',
    headline: 'Last train',
    description:
      'From the old terminus to the sea in one night. The timetable I used: https://timetables.example/night?line=40\n\nThe good part starts at 0:24, when the train leaves the tunnel.\n\nMusic: none. Only rails.',
    durationSeconds: 60,
    published: new Date('2025-05-30T17:00:00Z'),
    views: 184_220,
    likes: 9_120,
    dislikes: 88,
    tags: ['sleeper', 'coast', 'night train', 'railway'],
    category: 'Travel & Events',
    look: { scene: 'train', seed: 3 },
    subtitles: [
      {
        language: 'en',
        name: 'English',
        automatic: false,
        cues: cuesFrom(
          [
            'It is twenty to midnight, and platform nine is almost empty.',
            'My berth is in the third carriage, upper bunk, by the window.',
            'The attendant brings tea in a glass with a metal holder.',
            'Outside, the suburbs are going to sleep.',
            'After the long tunnel the moon is suddenly there.',
            'You can hear the wheels change their song on the viaduct.',
            'At four in the morning we change locomotives.',
            'Nobody wakes up. That is the art of it.',
            'The first light comes from behind the hills.',
            'And then, between two sheds, the sea.',
          ],
          60,
        ),
      },
      {
        language: 'de',
        name: 'German',
        automatic: false,
        cues: cuesFrom(
          [
            'Es ist zwanzig vor zwölf, und Gleis neun ist fast leer.',
            'Mein Bett ist im dritten Wagen, oben, am Fenster.',
            'Der Schaffner bringt Tee im Glas mit Metallhalter.',
            'Draußen gehen die Vororte schlafen.',
            'Nach dem langen Tunnel ist plötzlich der Mond da.',
            'Man hört, wie die Räder auf dem Viadukt anders singen.',
            'Um vier Uhr morgens wechseln wir die Lok.',
            'Niemand wacht auf. Das ist die Kunst.',
            'Das erste Licht kommt hinter den Hügeln hervor.',
            'Und dann, zwischen zwei Schuppen, das Meer.',
          ],
          60,
        ),
      },
    ],
    chapters: [
      { startSeconds: 0, title: 'Platform nine' },
      { startSeconds: 14, title: 'The berth' },
      { startSeconds: 24, title: 'Moonlight' },
      { startSeconds: 42, title: 'Changing engines' },
      { startSeconds: 52, title: 'The sea' },
    ],
    sponsors: [{ category: 'sponsor', startSeconds: 18, endSeconds: 22, locked: true, votes: 14 }],
    comments: [
      comment('c01', '@annaontherails', 'I took this one in 1994 with my grandfather. The tea glasses have not changed at all.', {
        likes: 412,
        pinned: true,
        hearted: true,
        replies: [
          comment('c01.r1', '@nighttrains', 'The attendant told me they still have two of the original sets!', {
            byUploader: true,
            likes: 96,
          }),
          comment('c01.r2', '@railfan_88', 'The holders are called podstakannik, by the way.', { likes: 31 }),
        ],
      }),
      comment('c02', '@sleepless', '0:24 gave me goosebumps.', { likes: 88, ago: '1 month ago' }),
      comment('c03', '@مسافر', 'رحلة جميلة جداً، شكراً', { likes: 17 }),
      comment('c04', '@pixelpioneer', 'Does <b>the window</b> really open? & is that allowed?', { likes: 2, ago: '2 days ago' }),
    ],
  });
