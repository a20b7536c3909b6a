import { expect, test } from 'vitest';
import { dataTables, type DataTable } from '../../../platform/db/schema/table-policies.ts';
import { snakeCaseNames } from '../../../platform/db/schema/snake-case.ts';
import { testApp } from '../../../test-support/app.ts';
import { hasUnsafePath, pathColumns } from './validate-row-paths.ts';

// Text columns that become no path: texts, names of users, hashes, ids that are only looked up, and values of a list. The value of
// `metadataHistory`, and the rows of the trash, are validated by their content.
const otherTexts: Partial<Record<DataTable, string>> = {
  account: 'normalizedName name passwordHash config',
  bucket: 'marker movingTo',
  channel: 'site siteId name sortName url description tags tabs overwrites rules unavailableReason handle backCatalogue',
  clip: 'videoId mode state reason',
  smallCopy: 'videoId sha256',
  chat: 'videoId source sha256',
  chatChunk: 'videoId',
  comment: 'videoId id parent author authorId authorThumbnail text',
  download: 'site siteId url title normalizedTitle channelName kind thumbnailUrl status failure message leasedBy egress',
  identity: 'issuer subject',
  // The root is checked against the allowed folder before each build; a template is parsed, and each of its parts cleaned.
  libraryView: 'name root marker preset template contentType contentId link linkUsed linkReason subtitles state problem queuedBy',
  listingPosition: 'url',
  // Mappings are sent to the server; no file is opened by them.
  mediaServer: 'kind name address sealed mappings state problem failedIn report',
  mediaServerItem: 'itemId videoId',
  note: 'channelName kind quote quoteLang text url videoId videoTitle',
  mediaServerPerson: 'userId userName sealed problem',
  mediaServerPlaylist: 'playlistId remoteId name userId stamp problem',
  metadataHistory: 'videoId field value',
  namedToken: 'name tokenHash scopes',
  notifyTarget: 'taskName urlHash sealed',
  playlist: 'kind name sortName description channelId channelName url sortOrder rules unavailableReason backCatalogue',
  playlistEntry: 'playlistId title uploader',
  personTag: 'name key',
  personTagTarget: 'kind id',
  podcast: 'type targetId media secretHash sealed',
  refreshRequest: 'kind',
  schedule: 'name schedule config',
  secret: 'name sealed state',
  seenEntry: 'channelId title kind',
  setting: 'name value',
  share: 'type targetId secretHash sealed passwordHash',
  siteStats: 'site',
  smartList: 'name sortName filter',
  stream: 'videoId type codec language kind profile dynamicRange',
  subtitle: 'videoId source name',
  token: 'tokenHash sealed',
  transcriptLine: 'videoId lang text',
  transcription: 'videoId sha256 model lang state reason cues',
  trash: 'title channelId channelName deletedBy reason',
  trashFile: 'state',
  trashRows: 'tableName rows',
  video:
    'site siteId channelId title sortTitle description kind url sha256 categories tags chapters sponsorblock unavailableReason damage limitation upgrade upgradeLog branding live music musicEdit',
  viewFile: 'owner part groupId stamp mark slot',
  watch: 'videoId',
  ytdlpHistory: 'version',
};

test('every text column of a backup is validated as a path, or known to become none', async () => {
  const t = await testApp();
  try {
    const tables = await t.app.db.introspection.getTables();
    const textsOf = (table: DataTable) =>
      tables
        .find(({ name }) => snakeCaseNames.toCamelCase(name) === table)!
        .columns.flatMap(({ name, dataType }) => (/text/i.test(dataType) ? snakeCaseNames.toCamelCase(name) : []));
    const found = dataTables.map((table) => [table, textsOf(table).toSorted()]);
    const listed = dataTables.map((table) => [
      table,
      [...(otherTexts[table]?.split(' ') ?? []), ...Object.keys(pathColumns[table] ?? {})].toSorted(),
    ]);
    expect(listed).toEqual(found);
  } finally {
    await t.close();
  }
});

const columns = Object.entries(pathColumns).flatMap(([table, checks]) => Object.keys(checks).map((column) => [table, column]));

test.each(columns)('%s.%s is rejected when it leads out of its folder, also in the trash', (table, column) => {
  for (const value of ['../x', '..', 'a/../../x', '/etc/passwd', 'a\0b', 5]) {
    const row = { [column!]: value };
    expect(hasUnsafePath(table!, row), String(value)).toBe(column);
    expect(hasUnsafePath('trashRows', { tableName: table!, rows: JSON.stringify([row]) }), String(value)).toBe('rows');
  }
});
