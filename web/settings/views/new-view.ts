import type { View, ViewPreset } from '#contract/view.ts';
import type { ViewSettings } from '#web/api/queries/view.ts';

const names: Record<ViewPreset, string> = {
  jellyfin: 'Jellyfin',
  kodi: 'Kodi',
  plex: 'Plex',
  flat: 'Channels',
  playlist: 'Playlists',
  music: 'Music',
  custom: 'Custom',
};

/** A folder name that every file system and media server accepts. */
export const folderOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** A name and folder for a new view that no other view has. */
export function nameFor(preset: ViewPreset, views: Pick<View, 'name' | 'root'>[]): { name: string; root: string } {
  const isTaken = (name: string) =>
    views.some((view) => view.name === name || view.root.split(/[\\/]/).at(-1) === folderOf(name));
  let name = names[preset];
  for (let number = 2; isTaken(name); number++) name = `${names[preset]} ${number}`;
  return { name, root: folderOf(name) };
}

export const newView: ViewSettings = {
  name: '',
  root: '',
  preset: 'jellyfin',
  template: null,
  content: { type: 'all' },
  link: 'auto',
  nfo: true,
  artwork: true,
  subtitles: 'srt',
  chapters: false,
  person: null,
};
