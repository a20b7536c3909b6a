import { i18n } from '@lingui/core';
import { beforeAll, expect, test } from 'vitest';
import { settings } from '#contract/settings.ts';
import { pageContent } from '#web/settings/page-content.tsx';
import { searchSettings } from './search-settings.ts';
import { listSettings } from './list-settings.ts';
import { findMovedAnchor, settingAnchor, settingsGroups } from './settings-pages.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
const staff = { isStaff: true, hasNodes: true };
const labelsOf = (text: string, viewer = staff) => searchSettings(text, viewer).map(({ label }) => label);

test('contains every application setting once', () => {
  const anchors = Object.entries(settings).flatMap(([section, keys]) =>
    Object.keys(keys).map((key) => settingAnchor(section, key)),
  );
  // Switched on and off with the stored cookies and token.
  const implied = new Set(['application.setup_done', 'downloads.cookie_import', 'downloads.potoken']);
  const listed = listSettings(staff).map(({ to }) => to.split('#')[1]);
  expect(anchors.filter((anchor) => !implied.has(anchor) && listed.filter((one) => one === anchor).length !== 1)).toEqual([]);
});

test('contains the label of every field of the settings pages', () => {
  const files = import.meta.glob<string>('../{settings,setting-fields}/**/*.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const label = /<(?:AutoSaveField|Field|Select|Switch|TextArea)\s[^>]*?label=\{t`([^`$]+)`\}/g;
  const labels = Object.values(files).flatMap((code) => [...code.matchAll(label)].map(([, text]) => text!));
  // Inputs of an action, not settings.
  const inputs = new Set(
    'App name, Expires, Token, Current password, Name, Password, Administrator, Event or task, Notification URL, Secret (optional), Minute of the hour, Day, Time, Run'
      .split(', ')
      .concat(
        'Also end all tokens, feeds and share links',
        'Minute, hour, day of week',
        'Restore deleted accounts (without API tokens)',
      )
      // Of a library view.
      .concat('Smart list', 'Contents', 'Folder', 'File names', 'Link type', 'Template', 'NFO files', 'Artwork')
      .concat('Subtitles', 'Watched state of', 'Keep the files of the view', 'Chapters')
      .concat('Model to download')
      .concat('Name of the assistant', 'Read and write your notes', 'Add downloads to the queue')
      // Of a media server.
      .concat('Kind', 'Address', 'Library view', 'Folder on the server')
      .concat('URL of TubeArchivist', 'API token of TubeArchivist', 'Path on the server', 'Or a file or folder on the server')
      .concat('Folder in the other program', 'The same folder on this server'),
  );
  const listed = new Set(listSettings(staff).map(({ label: { message } }) => message));
  expect(labels.length).toBeGreaterThan(20);
  expect(labels.filter((text) => !listed.has(text) && !inputs.has(text))).toEqual([]);
});

test('every page has content, and no anchor is used twice on a page', () => {
  const pages = settingsGroups.flatMap((group) => group.pages);
  expect(pages.map(({ path }) => path).toSorted()).toEqual(Object.keys(pageContent).toSorted());
  const paths = listSettings(staff).map(({ to }) => to);
  expect(paths.filter((to, index) => paths.indexOf(to) !== index)).toEqual([]);
});

test.each([
  ['4K', 'Download format'],
  ['resolution', 'Quality'],
  ['bin', 'Trash'],
  ['people', 'Users'],
  ['backup', 'ZIP backup'],
  ['cookie', 'Cookie'],
  ['speed limit', 'Speed limit'],
  ['iphone', 'Remux files for iPhones'],
])('finds %s', (text, expected) => expect(labelsOf(text)).toContain(expected));

test('lists matching labels before matching keywords', () => {
  expect(labelsOf('trash')[0]).toBe('Trash');
  expect(labelsOf('api token')[0]).toBe('Apps and API tokens');
});

test('lists what a word mainly means before what mentions it', () => {
  const found = labelsOf('jellyfin');
  expect(found.slice(0, 2).toSorted()).toEqual(['Library views', 'Media servers']);
  expect(found).toContain('App tokens');
});

test('ordinary users find only their own settings', () => {
  const user = { isStaff: false, hasNodes: false };
  expect(labelsOf('theme', user)).toEqual(['Theme', 'Custom CSS']);
  expect(labelsOf('backup', user)).toEqual([]);
});

test('lists the page of the servers only where there are several', () => {
  expect(labelsOf('drain')).toEqual(['Servers']);
  expect(labelsOf('drain', { isStaff: true, hasNodes: false })).toEqual([]);
});

test('finds anchors that have moved to another page, of the same group first', () => {
  expect(findMovedAnchor('application', 'downloads')).toBe('application/downloads');
  expect(findMovedAnchor('application', 'snapshots')).toBe('application/storage');
  expect(findMovedAnchor('application', 'ytdlp')).toBe('health/ytdlp');
  expect(findMovedAnchor('actions', 'backups')).toBe('actions/backup');
  expect(findMovedAnchor('user', 'api-token')).toBe('user/tokens');
  expect(findMovedAnchor('application', 'scan')).toBeUndefined();
  expect(findMovedAnchor('application', 'unknown')).toBeUndefined();
});
