import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'react-router';
import { pathOfVideo } from '#web/api/paths.ts';
import { pathOfRun } from '#web/api/queries/run.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Callout } from '#web/ui/Callout.tsx';
import { useStartedRun } from '../tasks/task-state.ts';
import { resultsOf } from './import-result.ts';
import styles from './ImportResult.module.css';

/** The most files that the log of a run keeps. */
const maxNotes = 1000;

/** Result of an import or its dry run, as a table of the files. */
export function ImportResult({ id, isDry }: { id: string; isDry: boolean }) {
  const { t } = useLingui();
  const run = useStartedRun(id);
  if (!run?.ended) return null;
  // A dry run also lists its problems, one per line; the table has them.
  const summary = run.result_messages?.filter((one) => one.id !== 'import.line') ?? null;
  const results = resultsOf(run.notes);
  const outcomes = {
    imported: isDry ? t`Would be imported` : t`Imported`,
    there: t`Already in the archive`,
    left: isDry ? t`Would stay in the folder` : t`Left in the folder`,
  };
  return (
    <>
      <Callout kind={run.status === 'failure' ? 'danger' : 'info'}>
        <p>{run.result === null ? <Trans>Done.</Trans> : messageText(summary, run.result.split('\n')[0]!)}</p>
        <p>
          <Link to={pathOfRun(id)}>
            <Trans>Details</Trans>
          </Link>
        </p>
      </Callout>
      {results.length > 0 && (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label={t`Files of the import`}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t`File`}</th>
                <th scope="col">{t`Result`}</th>
                <th scope="col">{t`Reason`}</th>
              </tr>
            </thead>
            <tbody>
              {results.map(({ file, outcome, notes, videoId }) => (
                <tr key={file}>
                  <th scope="row">
                    <bdi>{file}</bdi>
                  </th>
                  <td className={outcome === 'left' ? styles.left : undefined}>
                    {videoId ? <Link to={pathOfVideo({ youtube_id: videoId })}>{outcomes[outcome]}</Link> : outcomes[outcome]}
                  </td>
                  <td>
                    {notes.map((note, index) => (
                      <p key={index}>{note.why && messageText(note.why_messages, note.why)}</p>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {run.notes.length >= maxNotes && <p>{t`Only the first ${maxNotes} entries are listed.`}</p>}
    </>
  );
}
