import { useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { startTask } from '#web/api/queries/download.ts';
import { Cards } from '#web/setting-fields/Card.tsx';
import { Action } from './Action.tsx';

/** Tasks for the files on disk. */
export function FileActions() {
  const { t } = useLingui();
  return (
    <Cards>
      <Action
        id="rescan"
        title={t`Rescan filesystem`}
        text={t`Compares the archive with the disk: finds moved, new, changed and missing files.`}
        busy={t`File system scan in progress`}
        group="setting:filesystemscan"
        button={t`Start rescan`}
        switches={{
          prefer_local: {
            label: t`Prefer local metadata files over the site`,
            help: t`Uses the .info.json next to a new file instead of asking its site.`,
          },
        }}
        start={(body) => call('POST /api/appsettings/rescan-filesystem/', { body })}
      />
      <Action
        id="thumbnails"
        title={t`Embed thumbnails`}
        text={t`Embeds the thumbnail in every file that has none. No re-encoding.`}
        busy={t`Embedding thumbnails`}
        group="setting:thumbnailsync"
        button={t`Start embedding`}
        start={() => startTask('resync_thumbs')}
      />
    </Cards>
  );
}
