import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '#web/api/call.ts';
import { CopyText } from '#web/ui/CopyText.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useIsPhone } from '#web/ui/use-media-query.ts';
import styles from './ImportAction.module.css';
import { Cards } from '#web/setting-fields/Card.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { Action } from './Action.tsx';
import { importFolderQuery } from './import-folder-query.ts';
import { ImportResult } from './ImportResult.tsx';
import { ImportUpload } from './ImportUpload.tsx';

/** Path of the import folder and what lies in it. */
function ImportFolder() {
  const { t } = useLingui();
  const isPhone = useIsPhone();
  const query = useQuery(importFolderQuery);
  return (
    <QueryBoundary query={query} skeleton={isPhone ? 166 : 96}>
      {({ folder, names, count, is_more: isMore }) => (
        <>
          <CopyText text={folder} label={t`Copy the path`} />
          {count === 0 ? (
            <Muted>
              <Trans>The folder is empty. Put video files into it or upload them, then start the import.</Trans>
            </Muted>
          ) : (
            <details className={styles.files} open={count <= 5}>
              <summary>
                {isMore ? (
                  <Trans>More than {count} files and folders</Trans>
                ) : (
                  <Plural value={count} one="# file or folder" other="# files and folders" />
                )}
              </summary>
              <ul>
                {names.map((name) => (
                  <li key={name}>
                    <bdi>{name}</bdi>
                  </li>
                ))}
                {(isMore || count > names.length) && <li>…</li>}
              </ul>
            </details>
          )}
        </>
      )}
    </QueryBoundary>
  );
}

/** Imports the files of the import folder. */
export function ImportAction() {
  const { t } = useLingui();
  return (
    <Cards>
      <Action
        id="import"
        title={t`Manual import`}
        text={t`Imports video files with their metadata, subtitles and thumbnails from this folder on the server:`}
        busy={t`Processing import`}
        group="setting:import"
        button={t`Start import`}
        result={(id, isDry) => <ImportResult id={id} isDry={isDry} />}
        switches={{
          leave_files: {
            label: t`Copy – keep originals`,
            help: t`Otherwise imported files are moved out of the folder.`,
          },
          prefer_local: {
            label: t`Prefer local metadata files over the site`,
            help: t`Uses the .info.json next to a file instead of asking its site.`,
          },
          ignore_error: {
            label: t`Import even if the duration differs`,
            help: t`Otherwise a file that is shorter or longer than the video on its site is left in the folder.`,
          },
        }}
        start={(body) => call('POST /api/appsettings/manual-import/', { body })}
      >
        <Muted>
          <Trans>
            For subscriptions, rules, lists and watch history, use{' '}
            <Link to="/settings/actions/migrate/">Import from another program</Link>.
          </Trans>
        </Muted>
        <ImportFolder />
        <ImportUpload />
      </Action>
    </Cards>
  );
}
