import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { SourceProgram, ProgramImportReport, ProgramImportTake } from '#contract/program-import.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { Form } from '#web/ui/Form.tsx';
import { RadioCards } from '#web/ui/RadioCards.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { Cards } from '#web/setting-fields/Card.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { ChooseData, ChooseServer, type ImportSource } from './ChooseData.tsx';
import { PastImports, UndoDialog } from './PastImports.tsx';
import { isChosenFirst, programNames, programs } from './programs.ts';
import { programImportQuery } from './queries.ts';
import { Report } from './Report.tsx';
import styles from './ProgramImportPage.module.css';

/** One step. Its heading gets the focus when it appears, so that screen readers read it. */
function Step({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.step}>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {children}
    </div>
  );
}

const Running = () => (
  <p role="status">
    <Trans>This can take a while. You can leave the page; the report stays under “Past imports”.</Trans>
  </p>
);

/** Third step: the report of the dry run, where the user chooses what to import. */
function ChooseTakes({
  report,
  isBusy,
  onStart,
  onBack,
}: {
  report: ProgramImportReport;
  isBusy: boolean;
  onStart(take: ProgramImportTake[]): void;
  onBack(): void;
}) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<ReadonlySet<ProgramImportTake>>(
    () => new Set(report.counts.flatMap(({ what, added }) => (added > 0 && isChosenFirst(what) ? [what] : []))),
  );
  const isSomethingNew = report.counts.some(({ added }) => added > 0);
  return (
    <>
      <Report
        report={report}
        choice={{
          chosen,
          onChange: (take, isChosen) =>
            setChosen(isChosen ? new Set([...chosen, take]) : new Set([...chosen].filter((one) => one !== take))),
        }}
      />
      {report.status === 'done' && !isSomethingNew && (
        <Callout>
          <Trans>Everything is here already.</Trans>
        </Callout>
      )}
      <ActionRow>
        {isSomethingNew && (
          <Button kind="primary" disabled={chosen.size === 0} isBusy={isBusy} onClick={() => onStart([...chosen])}>
            {t`Import now`}
          </Button>
        )}
        <Button kind="quiet" disabled={isBusy} onClick={onBack}>
          {t`Back`}
        </Button>
      </ActionRow>
    </>
  );
}

/** Last step: the report of the import, which can be undone. */
function Result({ report, onAgain }: { report: ProgramImportReport; onAgain(): void }) {
  const { t } = useLingui();
  const [isUndoOpen, setIsUndoOpen] = useState(false);
  return (
    <>
      {report.status === 'undone' && (
        <Callout>
          <Trans>The import was undone.</Trans>
        </Callout>
      )}
      <Report report={report} />
      <ActionRow>
        <Button onClick={onAgain}>{t`Import more`}</Button>
        {report.undo_until !== null && <Button onClick={() => setIsUndoOpen(true)}>{t`Undo…`}</Button>}
      </ActionRow>
      {isUndoOpen && <UndoDialog programImport={report} onClose={() => setIsUndoOpen(false)} />}
    </>
  );
}

interface Flow {
  program: SourceProgram;
  source?: ImportSource;
  dryRun?: string;
  run?: string;
}

/** Guided import: program, data, dry run, choice, result. */
function Guide() {
  const { t, i18n } = useLingui();
  const [program, setProgram] = useState<SourceProgram | ''>('');
  const [flow, setFlow] = useState<Flow>();
  const id = flow?.run ?? flow?.dryRun;
  const { data: report, error } = useQuery({ ...programImportQuery(id ?? ''), enabled: id !== undefined });
  const begin = useMutation({
    mutationFn: ({ next, take }: { next: Flow; take?: ProgramImportTake[] }) =>
      call('POST /api/migrate/', {
        body: {
          from: next.program,
          ...next.source,
          path_map: next.source?.path_map ?? {},
          ...(take ? { take } : { dry_run: true }),
        },
      }),
    onSuccess: ({ id: started }, { next, take }) => setFlow(take ? { ...next, run: started } : { ...next, dryRun: started }),
    onSettled: () => invalidateTopics('migrate'),
  });
  const restart = () => {
    begin.reset();
    setFlow(undefined);
  };
  const isEnded = report !== undefined && report.ended !== null && report.id === id;
  const failure = begin.error ?? error;
  const name = flow && programs[flow.program].name;
  const Choose = flow?.program === 'tubearchivist' ? ChooseServer : ChooseData;
  return (
    <div className={styles.steps}>
      {!flow && (
        <div className={styles.step}>
          <Form onSubmit={() => program !== '' && setFlow({ program })}>
            <RadioCards
              legend={t`Import from…`}
              value={program}
              onChange={setProgram}
              choices={programNames.map((value) => ({ value, label: programs[value].name, help: i18n._(programs[value].help) }))}
            />
            <ActionRow>
              <Button type="submit" kind="primary" disabled={program === ''}>
                {t`Continue`}
              </Button>
            </ActionRow>
          </Form>
          <Muted>
            <Trans>
              For folders of video files, use <Link to="/settings/actions/">Import</Link>; for a backup of TubeArchivist,{' '}
              <Link to="/settings/actions/backup/">Backup and restore</Link>.
            </Trans>
          </Muted>
        </div>
      )}
      {failure && <Callout kind="danger">{failure.message}</Callout>}
      {flow && !id && (
        <Step title={t`Where is the data of ${name ?? ''}?`}>
          <Choose
            program={flow.program}
            isBusy={begin.isPending}
            onChosen={(source) => begin.mutate({ next: { program: flow.program, source } })}
            onBack={restart}
          />
        </Step>
      )}
      {id && !isEnded && (
        <Step title={flow?.run ? t`Importing` : t`Checking the data`}>
          <Running />
        </Step>
      )}
      {flow && isEnded && !flow.run && (
        <Step title={t`What should be imported?`}>
          <ChooseTakes
            report={report}
            isBusy={begin.isPending}
            onStart={(take) => begin.mutate({ next: flow, take })}
            onBack={() => setFlow({ program: flow.program })}
          />
        </Step>
      )}
      {flow?.run && isEnded && (
        <Step title={report.status === 'failed' ? t`The import failed` : t`Import finished`}>
          <Result report={report} onAgain={restart} />
        </Step>
      )}
    </div>
  );
}

/** Imports subscriptions, rules, lists, watch history and video files of another program. */
export function ProgramImportPage() {
  const { t } = useLingui();
  return (
    <Cards>
      <Section id="migrate" title={t`Import from another program`}>
        <Guide />
      </Section>
      <PastImports />
    </Cards>
  );
}
