/** The catalogue of the demo: a small varied library, every bit of it invented. */
import { aCatalogue, aChannel, aClip, aPlaylist, aVideo, cuesFrom } from './builders.ts';
import type { Catalogue, Channel, Video } from './catalogue.ts';
import { comment, crossing } from './demo-crossing.ts';

const trains = aChannel({
  name: 'Night Trains of Europe',
  handle: '@nighttrains',
  description:
    'One traveller, every sleeper car that still runs. Timetables, berths, breakfasts.\n\nNew journeys every second Friday.',
  subscribers: 48_300,
  tags: ['railway', 'travel', 'night train'],
  look: { scene: 'train', seed: 2 },
  initials: 'NT',
});
const stars = aChannel({
  name: 'Backyard Observatory',
  handle: '@backyardobservatory',
  description: 'A telescope, a garden and a thermos flask. What can be seen tonight, and how.',
  subscribers: 129_000,
  tags: ['astronomy', 'telescope'],
  look: { scene: 'nebula', seed: 1 },
  initials: 'BO',
  layout: 'lockup',
});
const wood = aChannel({
  name: 'Quiet Joinery',
  handle: '@quietjoinery',
  description: 'Hand tools only. No music, no talking, just wood.',
  subscribers: 310_500,
  tags: ['woodworking', 'hand tools'],
  look: { scene: 'planks', seed: 1 },
  initials: 'Q',
});
const bread = aChannel({
  name: 'Slow Bread',
  handle: '@slowbread',
  description: 'Flour, water, salt and time.',
  subscribers: 22_700,
  tags: ['bread', 'sourdough', 'baking'],
  look: { scene: 'loaf', seed: 2 },
  initials: 'SB',
});
const synth = aChannel({
  name: 'Patch Notes',
  handle: '@patchnotes',
  description: 'Modular synthesizers, one cable at a time.',
  subscribers: 8_940,
  tags: ['synthesizer', 'music'],
  look: { scene: 'sunset', seed: 0 },
  initials: 'PN',
  layout: 'lockup',
});

const at = (date: string) => new Date(`${date}T17:00:00Z`);
const size = { width: 640, height: 360 };

const videos: Video[] = [
  crossing(trains.id),
  aVideo({
    ...size,
    id: 'viaductSnow',
    channelId: trains.id,
    title: 'Snow on the viaduct – winter special',
    headline: 'Winter',
    durationSeconds: 40,
    published: at('2025-01-17'),
    views: 91_004,
    likes: 4_410,
    look: { scene: 'train', seed: 8 },
    subtitles: [
      {
        language: 'en',
        name: 'English',
        automatic: true,
        cues: cuesFrom(
          [
            'so this is the big viaduct',
            'it was built in nineteen oh three',
            'and tonight it is covered in snow',
            'listen how quiet it gets',
          ],
          40,
        ),
      },
    ],
  }),
  aVideo({
    ...size,
    id: 'trainRadio1',
    channelId: trains.id,
    title: 'Live from the cab: a night with questions',
    kind: 'stream',
    startsAt: at('2025-03-08'),
    published: at('2025-03-08'),
    durationSeconds: 50,
    views: 30_877,
    look: { scene: 'train', seed: 12 },
  }),
  aVideo({
    ...size,
    id: 'moonTonight',
    channelId: stars.id,
    title: 'Reading the Moon: seas, craters and where people landed',
    headline: 'The Moon',
    description: 'A guided tour with a small telescope. Map: https://maps.example/moon',
    durationSeconds: 45,
    published: at('2025-05-11'),
    views: 640_118,
    likes: 40_702,
    dislikes: 310,
    look: { scene: 'moon', seed: 2 },
    chapters: [
      { startSeconds: 0, title: 'Where to look' },
      { startSeconds: 15, title: 'Seas' },
      { startSeconds: 30, title: 'Craters' },
    ],
    subtitles: [
      {
        language: 'en',
        name: 'English',
        automatic: false,
        cues: cuesFrom(
          [
            'The dark plains are called seas.',
            'They are frozen lava, three billion years old.',
            'The bright rays belong to a young crater.',
            'Young means a hundred million years.',
            'A pair of binoculars is enough.',
          ],
          45,
        ),
      },
    ],
    comments: [
      comment('m01', '@stargazer', 'Finally somebody explains the rays.', { likes: 57 }),
      comment('m02', '@firstscope', 'Bought binoculars because of you.', { likes: 21 }),
    ],
  }),
  aVideo({
    ...size,
    id: 'ringsOfSatu',
    channelId: stars.id,
    title: 'Saturn this summer 🪐 rings almost edge-on',
    headline: 'Saturn',
    durationSeconds: 40,
    published: at('2025-04-20'),
    views: 210_554,
    likes: 12_930,
    look: { scene: 'nebula', seed: 1 },
    extraFormats: ['vp9'],
  }),
  aVideo({
    ...size,
    id: 'deepSkyBegi',
    channelId: stars.id,
    title: 'Ten deep-sky objects for beginners',
    headline: '10 for beginners',
    durationSeconds: 55,
    published: at('2024-11-02'),
    views: 1_204_000,
    likes: 66_210,
    look: { scene: 'nebula', seed: 3 },
  }),
  aVideo({
    id: 'orionShort1',
    channelId: stars.id,
    title: 'Find Orion in 20 seconds #shorts',
    kind: 'short',
    width: 360,
    height: 640,
    durationSeconds: 20,
    published: at('2025-02-01'),
    views: 2_400_000,
    look: { scene: 'nebula', seed: 4 },
  }),
  aVideo({
    ...size,
    id: 'dovetailBox',
    channelId: wood.id,
    title: 'A dovetailed box, start to finish',
    headline: 'Dovetails',
    durationSeconds: 58,
    published: at('2025-05-04'),
    views: 3_120_445,
    likes: 141_000,
    dislikes: 1_204,
    look: { scene: 'planks', seed: 0 },
    comments: [comment('w01', '@shavings', 'The sound of that plane is my lullaby.', { likes: 1204, hearted: true })],
  }),
  aVideo({
    ...size,
    id: 'planeSharpn',
    channelId: wood.id,
    title: 'Sharpening an old plane iron',
    headline: 'Sharp',
    durationSeconds: 42,
    published: at('2025-03-22'),
    views: 801_220,
    likes: 30_410,
    look: { scene: 'planks', seed: 3 },
  }),
  aVideo({
    ...size,
    id: 'crumbSecret',
    channelId: bread.id,
    title: 'The crumb: why holes are not the point',
    headline: 'Open crumb',
    durationSeconds: 48,
    published: at('2025-05-24'),
    views: 66_100,
    likes: 3_980,
    dislikes: 41,
    look: { scene: 'loaf', seed: 1 },
    chapters: [
      { startSeconds: 0, title: 'Flour' },
      { startSeconds: 16, title: 'Folding' },
      { startSeconds: 32, title: 'Baking' },
    ],
  }),
  aVideo({
    ...size,
    id: 'ryeEveryday',
    channelId: bread.id,
    title: 'Everyday rye – خبز الجاودار / 黑麦面包',
    durationSeconds: 36,
    published: at('2025-02-14'),
    views: 21_900,
    likes: 1_470,
    look: { scene: 'loaf', seed: 2 },
  }),
  aVideo({
    id: 'scoreShort1',
    channelId: bread.id,
    title: 'Three ways to score a loaf',
    kind: 'short',
    width: 360,
    height: 640,
    durationSeconds: 15,
    published: at('2025-04-02'),
    views: 512_000,
    look: { scene: 'loaf', seed: 3 },
  }),
  aVideo({
    ...size,
    id: 'firstPatch1',
    channelId: synth.id,
    title: 'First patch: one oscillator, one filter, one hour',
    headline: 'Patch 1',
    durationSeconds: 44,
    published: at('2025-05-18'),
    views: 12_404,
    likes: 990,
    look: { scene: 'sunset', seed: 0 },
  }),
  aVideo({
    ...size,
    id: 'generative1',
    channelId: synth.id,
    title: 'A generative piece that never repeats',
    headline: 'Infinite',
    durationSeconds: 52,
    published: at('2025-04-27'),
    views: 9_870,
    likes: 804,
    look: { scene: 'sunset', seed: 1 },
  }),
  aVideo({
    ...size,
    id: 'membersOnly',
    channelId: synth.id,
    title: 'Members: the full rack tour',
    published: at('2025-05-20'),
    fails: 'members',
    look: { scene: 'sunset', seed: 2 },
    unlisted: true,
  }),
];

const playlist = aPlaylist({
  id: 'PLquietEvening0000000000000000000000',
  channelId: stars.id,
  title: 'A quiet evening',
  description: 'Things to watch with the lights off.',
  videoIds: ['moonTonight', 'ringsOfSatu', 'deepSkyBegi'],
});

const channels: Channel[] = [trains, stars, wood, bread, synth];

/** The demo's internet, made anew: a run may change it. */
export const demoCatalogue = (): Catalogue =>
  aCatalogue({
    channels,
    videos: videos.map((video) => ({ ...video })),
    playlists: [playlist],
    clips: [
      aClip({
        title: 'Swifts over the old town',
        description: 'Two minutes of evening.',
        durationSeconds: 30,
        look: { scene: 'skyline', seed: 1 },
      }),
    ],
  });

/** What the demo puts into the box, in this order. */
export const demoPlaces: string[] = [
  'https://www.youtube.com/watch?v=coastNight1',
  'https://www.youtube.com/watch?v=dovetailBox',
  `https://www.youtube.com/playlist?list=${playlist.id}`,
  'https://www.youtube.com/watch?v=crumbSecret',
  'https://clips.example/watch/swifts-over-the-old-town',
  'https://www.youtube.com/watch?v=membersOnly',
  '@patchnotes',
  '@nighttrains',
  '@slowbread',
  '@backyardobservatory',
  '@quietjoinery',
];
