import { aCatalogue, aChannel, aPlaylist, aVideo, cuesFrom } from '../../test-site/builders.ts';

// Catalogue for playback tests: a film with all features and two short videos that follow it.

const sentences = Array.from({ length: 12 }, (_, index) => (index === 7 ? 'Am Café vorbei' : `Sentence number ${index + 1}`));

export const channel = aChannel({ name: 'Slow Rivers', look: { scene: 'blend', seed: 5 } });
export const film = aVideo({
  id: 'watchFilm01',
  channelId: channel.id,
  title: 'Down the river',
  description: 'The weir comes at 0:30.',
  durationSeconds: 60,
  width: 320,
  height: 180,
  look: { scene: 'blend', seed: 6 },
  subtitles: [
    { language: 'en', name: 'English', automatic: false, cues: cuesFrom(sentences, 60) },
    { language: 'de', name: 'German', automatic: false, cues: cuesFrom(['Guten Morgen', 'Das Meer'], 60) },
  ],
  chapters: [
    { startSeconds: 0, title: 'Spring' },
    { startSeconds: 30, title: 'Weir' },
  ],
  sponsors: [{ startSeconds: 12, endSeconds: 20, category: 'sponsor' }],
});
export const second = aVideo({ id: 'watchFilm02', channelId: channel.id, title: 'The lock', durationSeconds: 14 });
export const third = aVideo({
  id: 'watchFilm03',
  channelId: channel.id,
  title: 'The delta',
  durationSeconds: 14,
  sounds: [
    { language: 'en', name: 'English', kind: 'original' },
    { language: 'de', name: 'German', kind: 'dubbed' },
  ],
});
export const playlist = aPlaylist({
  channelId: channel.id,
  title: 'To the sea',
  videoIds: [film.id, second.id, third.id],
});
export const watchCatalogue = () => aCatalogue({ channels: [channel], videos: [film, second, third], playlists: [playlist] });
