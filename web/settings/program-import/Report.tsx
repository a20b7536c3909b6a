import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ProgramImportReport, ProgramImportTake } from '#contract/program-import.ts';
import { exactText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Callout } from '#web/ui/Callout.tsx';
import { takes } from './programs.ts';
import styles from './ProgramImportPage.module.css';

interface Choice {
  chosen: ReadonlySet<ProgramImportTake>;
  onChange(take: ProgramImportTake, isChosen: boolean): void;
}

/** Counts of an import by kind of data; before the import, with a checkbox for each. */
function Counts({ report, choice }: { report: ProgramImportReport; choice?: Choice | undefined }) {
  const { t } = useLingui();
  const columns = [
    ['found', t`Found`],
    ['added', report.dry_run ? t`New` : t`Imported`],
    ['here', t`Already here`],
    ['left', t`Left out`],
  ] as const;
  const rows = report.counts.filter(({ found }) => found > 0);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t`Data`}</th>
          {columns.map(([key, label]) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const { label, help } = takes[row.what];
          const text = (
            <span>
              {t(label)}
              <small>{t(help)}</small>
            </span>
          );
          return (
            <tr key={row.what}>
              <th scope="row">
                {choice ? (
                  <label className={styles.choice}>
                    <input
                      type="checkbox"
                      checked={choice.chosen.has(row.what)}
                      onChange={(event) => choice.onChange(row.what, event.target.checked)}
                    />
                    {text}
                  </label>
                ) : (
                  text
                )}
              </th>
              {columns.map(([key, label]) => (
                <td key={key} data-label={label}>
                  {exactText(row[key])}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Problems and notes of an import, one per line. */
function Lines({ report }: { report: ProgramImportReport }) {
  const { t } = useLingui();
  const { lines, problems } = report;
  const notes = lines.filter(({ kind }) => kind === 'note').length;
  if (lines.length === 0) return null;
  return (
    <details open={lines.length <= 5}>
      <summary>
        {problems > 0 && <Plural value={problems} one="# problem" other="# problems" />}
        {problems > 0 && notes > 0 && ', '}
        {notes > 0 && <Plural value={notes} one="# note" other="# notes" />}
      </summary>
      <div className={styles.lines} tabIndex={0} role="region" aria-label={t`Problems and notes`}>
        <ul>
          {lines.map(({ what, why, why_messages: messages }, index) => (
            <li key={index}>
              <strong>
                <bdi>{what}</bdi>
              </strong>
              <p>{messageText(messages, why)}</p>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

/** Report of an import that has ended. */
export function Report({ report, choice }: { report: ProgramImportReport; choice?: Choice }) {
  return (
    <>
      {report.error !== null && <Callout kind="danger">{messageText(report.error_messages, report.error)}</Callout>}
      {report.counts.some(({ found }) => found > 0) ? (
        <Counts report={report} choice={choice} />
      ) : (
        report.error === null && (
          <p>
            <Trans>Nothing was found.</Trans>
          </p>
        )
      )}
      <Lines report={report} />
    </>
  );
}
