import { aCatalogue, aChannel, aPlaylist, aVideo, cuesFrom } from '../../test-site/builders.ts';

// A small catalogue for browser tests, with content that is hard to display.

export const channel = aChannel({ name: 'Night Trains', look: { scene: 'train', seed: 2 } });
export const long = aVideo({
  id: 'journeyVid1',
  channelId: channel.id,
  title: 'A long journey <script>alert(1)</script>',
  description: 'See https://timetables.example/ and 0:40 for the sea.\n<img src=x onerror=alert(2)>',
  durationSeconds: 60,
  width: 320,
  height: 180,
  look: { scene: 'blend', seed: 3 },
  subtitles: [{ language: 'en', name: 'English', automatic: false, cues: cuesFrom(['All aboard', 'The sea'], 60) }],
  chapters: [
    { startSeconds: 0, title: 'Platform' },
    { startSeconds: 30, title: 'Sea' },
  ],
  comments: [
    {
      id: 'c1',
      text: 'Lovely <b>tea</b>',
      author: '@ann',
      authorId: 'UCann',
      likes: 5,
      ago: '1 day ago',
      replies: [{ id: 'c1.r', text: 'Indeed', author: '@ben', authorId: 'UCben', likes: 0, ago: '1 day ago' }],
    },
  ],
});
export const second = aVideo({ id: 'secondVide1', channelId: channel.id, title: 'A short hop', durationSeconds: 8 });
export const hidden = aVideo({ id: 'privateVid9', channelId: channel.id, title: 'Not for you', fails: 'private' });
export const later = aVideo({
  id: 'laterVideo1',
  channelId: channel.id,
  title: 'Added in the browser',
  durationSeconds: 5,
  unlisted: true,
});
export const playlist = aPlaylist({ channelId: channel.id, title: 'The line', videoIds: [long.id, second.id] });
export const journeyCatalogue = () =>
  aCatalogue({ channels: [channel], videos: [long, second, hidden, later], playlists: [playlist] });
