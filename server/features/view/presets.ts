import type { ViewPreset } from '#contract/view.ts';

/** Root element of the NFO files of videos. */
export type NfoRoot = 'episodedetails' | 'movie' | 'musicvideo';

const shows = '{channel}/Season {season}/{channel} - S{season}E{published:MMdd}{episode:2} - {title} [{id}]';

/** Templates of the presets. */
export const presetTemplates: Record<Exclude<ViewPreset, 'custom'>, string> = {
  jellyfin: shows,
  kodi: shows,
  plex: shows, // Plex takes episodes of one date for versions of one episode
  flat: '{channel}/{published:yyyy-MM-dd} - {title} [{id}]',
  playlist: '{playlist}/Season 1/{playlist} - S01E{position:3} - {title} [{id}]',
  music: '{channel}/{channel} - {title} [{id}]',
};

export const templateTextOf = ({ preset, template }: { preset: ViewPreset; template: string | null }): string =>
  preset === 'custom' ? (template ?? '') : presetTemplates[preset];
