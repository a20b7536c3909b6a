import { expect, test } from 'vitest';
import { folderOf, nameFor } from './new-view.ts';

test('derives the folder from the name', () => {
  expect(['Jellyfin', 'My  Trains / Züge!', '¿Qué?', '映画', '…'].map(folderOf)).toEqual([
    'jellyfin',
    'my-trains-zuge',
    'que',
    '映画',
    '',
  ]);
});

test('proposes a name and a folder that no view has', () => {
  expect(nameFor('plex', [])).toEqual({ name: 'Plex', root: 'plex' });
  const taken = [
    { name: 'Plex', root: '/data/views/tv' },
    { name: 'Other', root: '/data/views/plex-2' },
  ];
  expect(nameFor('plex', taken)).toEqual({ name: 'Plex 3', root: 'plex-3' });
});
