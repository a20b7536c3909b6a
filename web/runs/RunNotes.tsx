import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { RunNote } from '#contract/runs.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import { pathOfVideo } from '#web/api/paths.ts';
import styles from './Runs.module.css';

const linkOf = ({ place, youtube_id: id, what: title }: RunNote) =>
  id === null || place === null
    ? null
    : place === 'archive'
      ? pathOfVideo({ youtube_id: id })
      : `/downloads/?${new URLSearchParams({ q: title, ...(place === 'ignored' && { ignored: 'true' }) })}`;

function Line({ note }: { note: RunNote }) {
  const to = linkOf(note);
  const title = <bdi>{messageText(note.what_messages, note.what)}</bdi>;
  return (
    <li>
      {to ? (
        <Link to={to} className={styles.noteTitle}>
          {title}
        </Link>
      ) : (
        <span className={styles.noteTitle}>{title}</span>
      )}
      {note.why && (
        <p className={styles.reason}>
          <TextWithLinks text={messageText(note.why_messages, note.why)} />
        </p>
      )}
      {note.words && (
        <details className={styles.output}>
          <summary>
            <Trans>Raw output</Trans>
          </summary>
          <pre tabIndex={0}>{note.words}</pre>
        </details>
      )}
    </li>
  );
}

/** Notes of a run by kind, problems first. */
export function RunNotes({ notes }: { notes: RunNote[] }) {
  const { t } = useLingui();
  const groups = [
    [t`Problems`, 'problem'],
    [t`New`, 'new'],
    [t`Skipped`, 'left-out'],
    [t`Steps`, 'step'],
  ] as const;
  return groups.map(([title, kind]) => {
    const groupNotes = notes.filter((note) => note.kind === kind);
    if (groupNotes.length === 0) return null;
    return (
      <section key={kind} className={styles.group}>
        <h3>{title}</h3>
        <ul className={styles.lines}>
          {groupNotes.map((note, index) => (
            <Line key={index} note={note} />
          ))}
        </ul>
      </section>
    );
  });
}
