import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '#web/api/call.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useIsPhone } from '#web/ui/use-media-query.ts';
import rows from '#web/setting-fields/Rows.module.css';
import cards from '#web/setting-fields/Settings.module.css';
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
    <QueryBoundary query={query} skeleton={<Skeleton height={isPhone ? 166 : 96} />}>
      {({ folder, names, count, is_more: isMore }) => (
        <>
          <p className={rows.secret}>
            <code>{folder}</code>
            <CopyButton text={folder} label={t`Copy the path`} />
          </p>
          {count === 0 ? (
            <p className={cards.muted}>
              <Trans>The folder is empty. Put video files into it or upload them, then start the import.</Trans>
            </p>
          ) : (
            <details className={cards.muted} open={count <= 5}>
              <summary>
                {isMore ? (
                  <Trans>More than {count} files and folders</Trans>
                ) : (
                  <Plural value={count} one="# file or folder" other="# files and folders" />
                )}
              </summary>
              <ul className={cards.list}>
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
    <div className={cards.cards}>
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
        <p className={cards.muted}>
          <Trans>
            For subscriptions, rules, lists and watch history, use{' '}
            <Link to="/settings/actions/migrate/">Import from another program</Link>.
          </Trans>
        </p>
        <ImportFolder />
        <ImportUpload />
      </Action>
    </div>
  );
}
