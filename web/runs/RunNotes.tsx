import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { RunNote } from '#contract/runs.ts';
import { told } from '#web/api/told.ts';
import { pathOfVideo } from '#web/video/paths.ts';
import styles from './Runs.module.css';

const placeOf = ({ place, youtube_id: id, what }: RunNote) =>
  id === null || place === null
    ? null
    : place === 'archive'
      ? pathOfVideo({ youtube_id: id })
      : `/downloads/?${new URLSearchParams({ q: what, ...(place === 'ignored' && { ignored: 'true' }) })}`;

function Line({ note }: { note: RunNote }) {
  const to = placeOf(note);
  const what = <bdi>{told(note.what, note.what_said)}</bdi>;
  return (
    <li>
      {to ? (
        <Link to={to} className={styles.what}>
          {what}
        </Link>
      ) : (
        <span className={styles.what}>{what}</span>
      )}
      {note.why && <p className={styles.why}>{told(note.why, note.why_said)}</p>}
      {note.words && (
        <details className={styles.words}>
          <summary>
            <Trans>What the program said</Trans>
          </summary>
          <pre tabIndex={0}>{note.words}</pre>
        </details>
      )}
    </li>
  );
}

/** What a run did, sorted by what it means: problems first. */
export function RunNotes({ notes }: { notes: RunNote[] }) {
  const { t } = useLingui();
  const groups = [
    [t`Problems`, 'problem'],
    [t`New`, 'new'],
    [t`Left out`, 'left-out'],
    [t`What it was at`, 'step'],
  ] as const;
  return groups.map(([title, kind]) => {
    const own = notes.filter((note) => note.kind === kind);
    if (own.length === 0) return null;
    return (
      <section key={kind} className={styles.group}>
        <h3>{title}</h3>
        <ul className={styles.lines}>
          {own.map((note, place) => (
            <Line key={place} note={note} />
          ))}
        </ul>
      </section>
    );
  });
}
