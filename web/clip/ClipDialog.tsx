import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconLink } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Clip, ClipMode } from '#contract/clip.ts';
import { useConfig } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics, queryClient } from '#web/api/client.ts';
import { clipQuery } from '#web/api/queries/clip.ts';
import { lengthText, sizeText } from '#web/format/numbers.ts';
import { parsePreciseTime, preciseTime } from '#web/format/precise-time.ts';
import { linkAt } from '#web/player/commands/actions.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useCopy } from '#web/ui/copy.ts';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import { RadioCards } from '#web/ui/RadioCards.tsx';
import { ActualStart, ClipState, DownloadClip } from './ClipFile.tsx';
import styles from './Clip.module.css';

interface Range {
  start: number;
  end: number;
}

interface Props {
  /** Id of the video. */
  video: string;
  /** Seconds that are filled in. */
  range: Range;
  onClose(): void;
}

/** Asks for the part and how it is cut. */
function ClipForm({ video, range, onMade, onClose }: Props & { onMade(clip: Clip): void }) {
  const { t } = useLingui();
  // Rounded outwards, so that nothing of the range is cut off.
  const [start, setStart] = useState(() => preciseTime(Math.floor(range.start * 10) / 10));
  const [end, setEnd] = useState(() => preciseTime(Math.ceil(range.end * 10) / 10));
  const [mode, setMode] = useState<ClipMode>('copy');
  const [from, to] = [parsePreciseTime(start), parsePreciseTime(end)];
  const make = useMutation({
    mutationFn: (part: Range) => call('POST /api/clip/', { body: { video, ...part, mode } }),
    onSuccess: (clip) => {
      queryClient.setQueryData(clipQuery(clip.id).queryKey, clip);
      onMade(clip);
      return invalidateTopics('clip');
    },
  });
  const whyNot = (time: number | null) => (time === null ? t`Write a time such as 12:31.5.` : undefined);
  return (
    <Form onSubmit={() => from !== null && to !== null && make.mutate({ start: from, end: to })}>
      <div className={styles.times}>
        <Field
          label={t({ message: 'Start', context: 'time' })}
          value={start}
          inputMode="decimal"
          problem={whyNot(from)}
          onChange={({ target }) => setStart(target.value)}
        />
        <Field
          label={t({ message: 'End', context: 'time' })}
          value={end}
          inputMode="decimal"
          problem={whyNot(to)}
          onChange={({ target }) => setEnd(target.value)}
        />
      </div>
      <RadioCards
        legend={t`Cut`}
        value={mode}
        onChange={setMode}
        choices={[
          {
            value: 'copy',
            label: t`Fast`,
            help: t`Starts at a key frame, often some seconds earlier. Ready at once, in the original quality.`,
          },
          { value: 'exact', label: t`Exact`, help: t`Starts and ends where you say. Encodes again, which takes a while.` },
        ]}
      />
      {make.isError && <Callout kind="danger">{make.error.message}</Callout>}
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isBusy={make.isPending}>
          <Trans>Make clip</Trans>
        </Button>
      </DialogActions>
    </Form>
  );
}

/** Progress of a clip, then its file. */
function MadeClip({ id, onAgain, onClose }: { id: number; onAgain(): void; onClose(): void }) {
  const { t } = useLingui();
  const copy = useCopy();
  const { data: clip, error } = useQuery(clipQuery(id));
  const unit = useConfig()?.file_size_unit;
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => result.current?.focus(), []); // the form that had the focus is gone
  if (!clip) return error && <Callout kind="danger">{error.message}</Callout>;
  const { video, start, end, media_url: url, size } = clip;
  const isDone = url !== null && size !== null;
  return (
    <>
      <div ref={result} tabIndex={-1}>
        {isDone ? (
          <p className={styles.done} role="status">
            <strong>{t`The clip is ready.`}</strong>
            <span>
              {lengthText(end - (clip.actual_start ?? start))} · {sizeText(size, unit)}
            </span>
            <ActualStart clip={clip} />
          </p>
        ) : (
          <ClipState clip={clip} />
        )}
      </div>
      <DialogActions>
        <Button
          icon={<IconLink aria-hidden />}
          onClick={() => void copy(linkAt({ youtube_id: video }, start, end), t`Link copied.`)}
        >
          <Trans>Copy link</Trans>
        </Button>
        {clip.state === 'failed' ? (
          <Button kind="primary" onClick={onAgain}>
            <Trans>Try again</Trans>
          </Button>
        ) : isDone ? (
          <DownloadClip url={url} isMain />
        ) : (
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        )}
      </DialogActions>
      {!isDone && clip.state !== 'failed' && <p className={styles.done}>{t`You find it in “Notes → Clips”, too.`}</p>}
    </>
  );
}

/** Makes a clip of a video. */
export function ClipDialog({ video, range: initialRange, onClose }: Props) {
  const { t } = useLingui();
  const [range, setRange] = useState(initialRange);
  const [made, setMade] = useState<Clip | null>(null);
  return (
    <Dialog title={t`Clip`} onClose={onClose}>
      {made === null ? (
        <ClipForm video={video} range={range} onMade={setMade} onClose={onClose} />
      ) : (
        <MadeClip
          id={made.id}
          onAgain={() => {
            setRange(made);
            setMade(null);
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
